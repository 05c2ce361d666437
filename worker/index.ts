import { app } from './app.ts';
import { queue } from './queues.ts';

export { CardLimits } from './card-limits.ts';
export { Invitations } from './invitations.ts';
export { Purchases } from './purchases.ts';
export { TextLimits } from './text-limits.ts';
export default { fetch: app.fetch, queue };
