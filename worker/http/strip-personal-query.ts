import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { isAllowedValue } from './query-allowlist.ts';

/** A page's own path; any other may be another house's, by two slashes. */
const ours = /^\/\w*$/;
/** What no script of others runs beside. */
const bare = /^\/(api|\.well-known)\//;

/**
 * Sends whoever comes by an address that names a person, or an app that is not ours, to the same
 * address without that, or to the first page from what is no page's. It is done before anything is
 * rendered: the browser's scripts, histories and what is told of a visit never see it.
 */
export const stripPersonalQuery = createMiddleware<App>(async (c, next) => {
  const url = new URL(c.req.url);
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!reads || !url.search || bare.test(url.pathname)) return next();
  const all = [...url.searchParams];
  const kept = all.filter(([name, value]) => isAllowedValue(name, value, c.env));
  if (kept.length === all.length) return next();
  c.var.log('info', 'personal_query_removed', { count: all.length - kept.length });
  const query = new URLSearchParams(kept).toString();
  c.header('Cache-Control', 'no-store');
  const path = ours.test(url.pathname) ? url.pathname : '/';
  return c.redirect(query ? `${path}?${query}` : path, 303);
});
