import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { setArmCookie } from '../experiments/arm-cookie.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { clearTrackingCookies } from './clear-tracking-cookies.ts';
import { recordConsent } from './consent-record.ts';
import { type Choice, consentValue, permissionsOf } from './rules/consent.ts';
import { consentCookie, setVisitorCookie } from './visitor.ts';

const body = v.object({ choice: v.picklist(['yes', 'no']) });

/** After half a year the question may be asked again, after less it must not be. */
const halfYear = 180 * 24 * 60 * 60;

async function record(c: Context<App>, choice: Choice): Promise<void> {
  const { uuid: visitor, country, language } = c.var.visitor;
  try {
    await recordConsent(c.env.DB, { visitor, choice, country, language }, Date.now());
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    c.var.log('error', 'consent_unrecorded', { key: consentValue(choice), country, reason });
  }
}

/** `POST /consent`: the visitor's choice about cookies; what a no forbids is deleted at once. */
export const chooseConsent = createHandlers(jsonBody(body), (c) => {
  const { choice } = c.req.valid('json');
  const { uuid, market } = c.var.visitor;
  setCookie(c, consentCookie, consentValue(choice), {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: halfYear,
  });
  setVisitorCookie(c, uuid, permissionsOf(market.consent, choice, false));
  if (choice === 'yes') setArmCookie(c);
  else clearTrackingCookies(c);
  c.var.log('info', 'consent', { key: consentValue(choice), country: c.var.visitor.country });
  c.executionCtx.waitUntil(record(c, choice));
  return c.json({ data: { choice } });
});
