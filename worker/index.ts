import { app } from './app.ts';
import { queue } from './queues.ts';

export { Invitee } from './invitations/invitee-object.ts';
export { SmsLimiter } from './invitations/sms/sms-limiter-object.ts';
export { CardLimiter } from './payments/fraud/card-limiter-object.ts';
export { Purchases } from './payments/purchases-object.ts';
export default { fetch: app.fetch, queue };
