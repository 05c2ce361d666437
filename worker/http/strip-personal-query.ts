import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { isAllowedValue } from './query-allowlist.ts';

const pagePath = /^\/\w*$/;
const withoutScripts = /^\/(api|\.well-known)\//;

/** Redirects before rendering, so that scripts, history and analytics never see personal data. */
export const stripPersonalQuery = createMiddleware<App>(async (c, next) => {
  const url = new URL(c.req.url);
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || !url.search || withoutScripts.test(url.pathname)) return next();
  const all = [...url.searchParams];
  const allowed = all.filter(([name, value]) => isAllowedValue(name, value, c.env));
  if (allowed.length === all.length) return next();
  c.var.log('info', 'personal_query_removed', { count: all.length - allowed.length });
  const query = new URLSearchParams(allowed).toString();
  c.header('Cache-Control', 'no-store');
  const path = pagePath.test(url.pathname) ? url.pathname : '/';
  return c.redirect(query ? `${path}?${query}` : path, 303);
});
