import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { App } from '../env.ts';
import { hostPrefix, setCookie } from '../http/set-cookie.ts';
import { readForm } from './form-fields.ts';
import { localTime, timeZoneOf } from './rules/time-zone.ts';

const cookieName = 'console-time-zone';
const yearSeconds = 365 * 24 * 60 * 60;

/** In which the person reads times: UTC until they choose. */
export const zoneOf = (c: Context<App>): string =>
  timeZoneOf(getCookie(c, cookieName, hostPrefix(c)));

/** Such as 2026-11-22 10:30 in the person's time zone, of ms since 1970. */
export function clockOf(c: Context<App>): (time: number) => string {
  const zone = zoneOf(c);
  return (time) => localTime(time, zone).slice(0, 16).replace('T', ' ');
}

/** Keeps the choice in a cookie of the console and returns to the page. */
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
