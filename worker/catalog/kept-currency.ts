import type { Context } from 'hono';
import { deleteCookie } from 'hono/cookie';
import { readCookie } from '../http/read-cookie.ts';
import { setCookie } from '../http/set-cookie.ts';
import type { App } from '../platform/env.ts';
import { type Currency, isCurrency } from './rules/currencies.ts';

/** The currency of a running subscription, in which pages abroad sell too. Whether it applies is decided at the purchase. */
const cookie = 'currency';

export function keptCurrency(c: Context<App>): Currency | null {
  const value = readCookie(c, cookie);
  return isCurrency(value) ? value : null;
}

/** @param currency null without a running subscription */
export function keepCurrency(c: Context<App>, currency: Currency | null): void {
  if (currency === keptCurrency(c)) return;
  const options = { path: '/', secure: c.req.url.startsWith('https:') };
  if (currency === null) deleteCookie(c, cookie, options);
  else setCookie(c, cookie, currency, { ...options, httpOnly: true, sameSite: 'Lax' });
}
