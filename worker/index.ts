import type { DurableObjectNamespace } from '@cloudflare/workers-types';
import { app } from './app.ts';
import { Invitee } from './invitations/invitee-object.ts';
import { SmsLimiter } from './invitations/sms/sms-limiter-object.ts';
import { CardLimiter } from './payments/fraud/card-limiter-object.ts';
import { Purchases } from './payments/purchases-object.ts';
import { queue } from './queues.ts';

declare module './env.ts' {
  interface Env {
    PURCHASES: DurableObjectNamespace<Purchases>;
    /** One object per located person, which alone stores their answers and location. */
    INVITATIONS: DurableObjectNamespace<Invitee>;
    /** The single object that counts SMS against the daily limits. */
    SMS_LIMITER: DurableObjectNamespace<SmsLimiter>;
    CARD_LIMITER: DurableObjectNamespace<CardLimiter>;
  }
}

export { CardLimiter, Invitee, Purchases, SmsLimiter };
export default { fetch: app.fetch, queue };
