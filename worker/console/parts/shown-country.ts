import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { hostPrefix, setCookie } from '../../http/set-cookie.ts';
import type { App } from '../../platform/env.ts';

const cookieName = 'console-country';

export const countryIn = (text?: string | null): string => /^[A-Z]{2}$/.exec(text ?? '')?.[0] ?? '';

/** The country whose pages are shown: what was chosen now, else on any page before. */
export function shownCountry(c: Context<App>, chosen?: string | null): string {
  const prefix = hostPrefix(c);
  const country = countryIn(chosen);
  if (!country) return countryIn(getCookie(c, cookieName, prefix)) || 'US';
  setCookie(c, cookieName, country, { prefix, path: '/', httpOnly: true, sameSite: 'Strict' });
  return country;
}
