import { createFactory } from 'hono/factory';
import type { App } from '../env.ts';

export const { createHandlers } = createFactory<App>();
