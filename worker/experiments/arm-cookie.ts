import type { Context } from 'hono';
import type { App } from '../env.ts';
import { setCookie } from '../http/set-cookie.ts';

/** Which arm of which experiment a visitor has. */
export const variantCookie = 'arm';
const year = 365 * 24 * 60 * 60;

/** What the cookie of a visitor who takes part says; null for one who does not. */
export function variantCookieValue(c: Context<App>): string | null {
  const { experiment, arm } = c.get('assignment');
  return experiment === null ? null : `${experiment}:${arm}`;
}

/** Keeps the visitor's arm for a year. */
export function setVariantCookie(c: Context<App>): void {
  const value = variantCookieValue(c);
  if (value === null) return;
  setCookie(c, variantCookie, value, {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: year,
  });
}
