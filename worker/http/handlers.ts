import type { createFactory } from 'hono/factory';
import type { App } from '../platform/env.ts';

type CreateHandlers = ReturnType<typeof createFactory<App>>['createHandlers'];

/** As Hono's factory types them, without the factory: it brings a router that no app of ours uses. */
export const createHandlers = ((...handlers: unknown[]) => handlers) as CreateHandlers;
