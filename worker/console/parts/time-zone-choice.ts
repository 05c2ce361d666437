import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { hostPrefix, setCookie } from '../../http/set-cookie.ts';
import type { App } from '../../platform/env.ts';
import { readForm } from './form-fields.ts';
import { localTime, timeZoneOf } from './rules/time-zone.ts';

const cookieName = 'console-time-zone';
const yearSeconds = 365 * 24 * 60 * 60;

/** The person's time zone; UTC until they choose one. */
export const zoneOf = (c: Context<App>): string =>
  timeZoneOf(getCookie(c, cookieName, hostPrefix(c)));

/** Formats ms since 1970 as 2026-11-22 10:30 in the person's time zone. */
export function clockOf(c: Context<App>): (time: number) => string {
  const zone = zoneOf(c);
  return (time) => localTime(time, zone).slice(0, 16).replace('T', ' ');
}

/** Stores the choice in a cookie of the console and returns to the page. */
export async function chooseTimeZone(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  setCookie(c, cookieName, timeZoneOf(fields.get('zone') ?? ''), {
    prefix: hostPrefix(c),
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: yearSeconds,
  });
  const back = fields.get('back') ?? '';
  return c.redirect(/^\/console(\/[\w/.-]*)?(\?[!-[\]-~]*)?$/.test(back) ? back : '/console', 303);
}
