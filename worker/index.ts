import type {
  DurableObjectNamespace,
  ExecutionContext,
  MessageBatch,
} from '@cloudflare/workers-types';
import { EventShard } from './analytics/event-shard-object.ts';
import { app, ownRoutes } from './app.ts';
import type { Env } from './env.ts';
import { Invitee } from './invitations/invitee-object.ts';
import { SmsLimiter } from './invitations/sms/sms-limiter-object.ts';
import { reportToMonitor } from './log-counts.ts';
import { Monitor } from './monitoring/monitor-object.ts';
import { scheduled } from './monitoring/scheduled.ts';
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
    EVENT_SHARDS: DurableObjectNamespace<EventShard>;
    /** The single object that counts and decides about alarms. */
    MONITOR: DurableObjectNamespace<Monitor>;
  }
}

export { CardLimiter, EventShard, Invitee, Monitor, Purchases, SmsLimiter };

async function fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const response = await app.fetch(request, env, context as never);
  context.waitUntil(reportToMonitor(env));
  return response;
}

export default {
  fetch,
  async queue(batch: MessageBatch, env: Env): Promise<void> {
    await queue(batch, env);
    await reportToMonitor(env, true);
  },
  scheduled: scheduled(ownRoutes),
};
