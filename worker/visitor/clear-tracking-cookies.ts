import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import type { App } from '../env.ts';
import { armCookie } from '../experiments/assignment.ts';

const vendorCookies =
  /^(_fb[cp]|_ttp|_tt_.*|_ga.*|_gcl_.*|_clck|_clsk|afUserId|AF_SYNC|publicid_giaid)$/;

/** Vendors set cookies on parent domains, so each parent domain gets a deletion. */
function deleteEverywhere(c: Context<App>, name: string): void {
  deleteCookie(c, name, { path: '/' });
  if (name === armCookie) return;
  const labels = new URL(c.req.url).hostname.split('.');
  for (let from = 0; from <= labels.length - 2; from += 1) {
    deleteCookie(c, name, { path: '/', domain: labels.slice(from).join('.') });
  }
}

export function clearTrackingCookies(c: Context<App>): void {
  const sent = Object.keys(getCookie(c));
  for (const name of sent) {
    if (name === armCookie || vendorCookies.test(name)) deleteEverywhere(c, name);
  }
}
