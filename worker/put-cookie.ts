import type { Context } from 'hono';
import { generateCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { App } from './env.ts';

/** Sets a cookie. An answer that is there already stays; Hono itself would make it anew, as a stream. */
export function putCookie(
  c: Context<App>,
  name: string,
  value: string,
  options: CookieOptions,
): void {
  const cookie = generateCookie(name, value, options);
  if (c.finalized) c.res.headers.append('Set-Cookie', cookie);
  else c.header('Set-Cookie', cookie, { append: true });
}

/**
 * The prefix of a cookie that decides whose session or which preview a page shows. A browser takes a
 * `__Host-` cookie from this very host alone, so a sibling subdomain cannot plant one. It exists on https
 * alone; plain http is for development.
 */
export const hostPrefix = (c: Context<App>): 'host' | undefined =>
  c.req.url.startsWith('https:') ? 'host' : undefined;
