import { createMiddleware } from 'hono/factory';
import { type App, isSynthetic } from '../platform/env.ts';
import { type Log, logger } from '../platform/log.ts';
import { syntheticArm } from '../platform/log-counts.ts';
import { securityHeaders } from './security-headers.ts';

export interface RequestVariables {
  request: string;
  log: Log;
  /** Set by the renderer, whose responses have all headers; `ms` is the rendering time. */
  page?: { screen: string; cache: 'hit' | 'miss'; ms: number };
}

export const requestLog = createMiddleware<App>(async (c, next) => {
  const start = Date.now();
  const request = c.req.header('cf-ray') ?? crypto.randomUUID();
  c.set('request', request);
  c.set('log', logger({ request }));
  await next();
  const ms = Date.now() - start;
  // Because `c.var` would copy all variables.
  const [page, visitor, assignment] = [c.get('page'), c.get('visitor'), c.get('assignment')];
  const { headers } = c.res;
  const rendered = page && `, render;dur=${page.ms.toFixed(1)}, cache;desc=${page.cache}`;
  headers.set('server-timing', `visit;dur=${ms}${rendered ?? ''}`);
  if (!page) {
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  }
  c.get('log')('info', 'request', {
    method: c.req.method,
    // The route and not the path, so that values in the path stay out of the log.
    path: c.req.routePath,
    status: c.res.status,
    ms,
    screen: page?.screen,
    cache: page?.cache,
    flow: assignment?.flowName,
    arm: isSynthetic(c.env) ? syntheticArm : assignment?.arm,
    country: visitor?.country,
    lng: visitor?.language,
    version: c.env.CF_VERSION_METADATA?.id,
  });
});
