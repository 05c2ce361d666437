import { app } from './app.ts';
import { queue } from './queues.ts';

export { Invitee as Invitations } from './invitations/invitee-object.ts';
export { SmsLimiter as TextLimits } from './invitations/sms/sms-limiter-object.ts';
export { CardLimiter as CardLimits } from './payments/fraud/card-limiter-object.ts';
export { Purchases } from './payments/purchases-object.ts';
export default { fetch: app.fetch, queue };
