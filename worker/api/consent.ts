import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import { armCookie, keepArm } from '../arm-cookie.ts';
import type { App } from '../env.ts';
import { type Choice, consentValue, permissionsOf } from '../funnel/consent.ts';
import { noteConsent } from '../storage/consents.ts';
import { consentCookie, keepUuid } from '../visitor.ts';
import { jsonBody } from './body.ts';

const body = v.object({ choice: v.picklist(['yes', 'no']) });

/** After half a year the question may be asked again, after less it must not be. */
const halfYear = 180 * 24 * 60 * 60;

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

async function record(c: Context<App>, choice: Choice): Promise<void> {
  const { uuid: visitor, country, language } = c.var.visitor;
  try {
    await noteConsent(c.env.DB, { visitor, choice, country, language }, Date.now());
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    c.var.log('error', 'consent_unrecorded', { key: consentValue(choice), country, reason });
  }
}

/** `POST /consent`: the visitor's choice about cookies; what a no forbids is deleted at once. */
export const consent = new Hono<App>().post('/consent', jsonBody(body), (c) => {
  const { choice } = c.req.valid('json');
  const { uuid, market } = c.var.visitor;
  setCookie(c, consentCookie, consentValue(choice), {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: halfYear,
  });
  keepUuid(c, uuid, permissionsOf(market.consent, choice, false));
  if (choice === 'yes') keepArm(c);
  else {
    const kept = Object.keys(getCookie(c));
    for (const name of kept) if (name === armCookie || marks.test(name)) forget(c, name);
  }
  c.var.log('info', 'consent', { key: consentValue(choice), country: c.var.visitor.country });
  c.executionCtx.waitUntil(record(c, choice));
  return c.json({ data: { choice } });
});
