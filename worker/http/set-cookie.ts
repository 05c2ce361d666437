import type { Context } from 'hono';
import { generateCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { App } from '../platform/env.ts';

/** Sets a cookie on a finished response in place; Hono would rebuild it as a stream. */
export function setCookie(
  c: Context<App>,
  name: string,
  value: string,
  options: CookieOptions,
): void {
  const cookie = generateCookie(name, value, options);
  if (c.finalized) c.res.headers.append('Set-Cookie', cookie);
  else c.header('Set-Cookie', cookie, { append: true });
}

/** A sibling subdomain cannot set a `__Host-` cookie. Browsers accept the prefix on https only. */
export const hostPrefix = (c: Context<App>): 'host' | undefined =>
  c.req.url.startsWith('https:') ? 'host' : undefined;
