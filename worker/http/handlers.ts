import { createFactory } from 'hono/factory';
import type { App } from '../env.ts';

/** The middleware and the handler of one endpoint; `app.ts` gives them their path. */
export const { createHandlers } = createFactory<App>();
