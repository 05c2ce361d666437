import { createMiddleware } from 'hono/factory';
import type { App } from '../platform/env.ts';
import { repairUrl } from './rules/repair-url.ts';
import { securityHeaders } from './security-headers.ts';

/** Whether a URL needs a closer look, because parsing every URL takes longer. */
const isSuspect = /%|&[a#n]|\W(?:\?|$)|\/[A-Z]/;

/** Redirects before the request is logged, because the path of a changed link contains its code. */
export const redirectToRepairedUrl = createMiddleware<App>((c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const location = isRead && isSuspect.test(c.req.url) && repairUrl(new URL(c.req.url));
  if (!location) return next();
  return Promise.resolve(c.body(null, 302, { ...securityHeaders, location }));
});
