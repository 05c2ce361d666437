import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import type { App } from '../env.ts';
import { armCookie } from '../experiments/arm-cookie.ts';

/** Cookies that only a yes allows: our arm's, and those of ad networks, analytics and heatmap. */
const marks = /^(_fb[cp]|_ttp|_tt_.*|_ga.*|_gcl_.*|_clck|_clsk|afUserId|AF_SYNC|publicid_giaid)$/;

/** Networks set theirs for the whole domain, so that each domain above us has to be named. */
function forget(c: Context<App>, name: string): void {
  deleteCookie(c, name, { path: '/' });
  if (name === armCookie) return;
  const labels = new URL(c.req.url).hostname.split('.');
  for (let from = 0; from <= labels.length - 2; from += 1) {
    deleteCookie(c, name, { path: '/', domain: labels.slice(from).join('.') });
  }
}

/** Deletes what the browser sent of them. */
export function clearTrackingCookies(c: Context<App>): void {
  const kept = Object.keys(getCookie(c));
  for (const name of kept) if (name === armCookie || marks.test(name)) forget(c, name);
}
