import { app } from './app.ts';
import { queue } from './queues.ts';

export { Purchases } from './purchases.ts';
export default { fetch: app.fetch, queue };
