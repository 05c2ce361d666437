import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { type Log, logger } from '../log.ts';
import { securityHeaders } from './security-headers.ts';

export interface RequestVariables {
  request: string;
  log: Log;
  /** Set by the renderer, for the log. */
  page?: { screen: string; cache: 'hit' | 'miss' };
}

export const requestLog = createMiddleware<App>(async (c, next) => {
  const start = Date.now();
  const request = c.req.header('cf-ray') ?? crypto.randomUUID();
  c.set('request', request);
  c.set('log', logger({ request }));
  await next();
  const timing = c.res.headers.get('server-timing');
  const ms = Date.now() - start;
  c.res.headers.set('server-timing', [`visit;dur=${ms}`, timing].filter(Boolean).join(', '));
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
  const { visitor, assignment, page } = c.var as Partial<typeof c.var>;
  c.var.log('info', 'request', {
    method: c.req.method,
    // The route, not the path: whatever stood in a path stays out of the log.
    path: c.req.routePath,
    status: c.res.status,
    ms,
    screen: page?.screen,
    cache: page?.cache,
    flow: assignment?.flowName,
    arm: assignment?.arm,
    country: visitor?.country,
    lng: visitor?.language,
  });
});
