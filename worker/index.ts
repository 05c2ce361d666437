import { app } from './app.ts';

export { Purchases } from './purchases.ts';
export default { fetch: app.fetch };
