import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { setArmCookie } from '../experiments/assignment.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { reasonOf } from '../log.ts';
import type { VisitorId } from '../types.ts';
import { sleep } from '../with-timeout.ts';
import { type Consent, consentDatabase, insertConsent } from './consent-table.ts';
import { type Choice, consentValue, permissionsOf } from './rules/consent.ts';
import { clearTrackingCookies, consentCookie, newIdentity, setVisitorCookies } from './visitor.ts';

const body = v.object({ choice: v.picklist(['yes', 'no']) });

/** The banner may ask again after half a year, but not earlier. */
const consentSeconds = 180 * 24 * 60 * 60;

/** With these delays, four attempts use up the time that may run after a response. */
const retryDelaysMs = [500, 2000, 6000];

/** All attempts use one id, so that the row is written once. @param now ms since 1970 */
export async function recordConsent(
  db: D1Database,
  consent: Consent,
  now: number,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<void> {
  const id = crypto.randomUUID();
  for (const delayMs of retryDelaysMs) {
    try {
      return await insertConsent(db, consent, now, id);
    } catch {
      await wait(delayMs);
    }
  }
  await insertConsent(db, consent, now, id);
}

async function record(c: Context<App>, visitor: VisitorId, choice: Choice): Promise<void> {
  const { country, language } = c.var.visitor;
  try {
    const db = await consentDatabase(c.env, visitor);
    await recordConsent(db, { visitor, choice, country, language }, Date.now());
  } catch (error) {
    const reason = reasonOf(error);
    c.var.log('error', 'consent_record_failed', { choice: consentValue(choice), country, reason });
  }
}

export const chooseConsent = createHandlers(jsonBody(body), async (c) => {
  const { choice } = c.req.valid('json');
  const { visitor } = c.var;
  setCookie(c, consentCookie, consentValue(choice), {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: consentSeconds,
  });
  // Nobody chooses for a visitor whose id they only know.
  const identity = visitor.key === null ? newIdentity() : visitor;
  setVisitorCookies(c, identity, permissionsOf(visitor.market.consent, choice, false));
  if (choice === 'yes') await setArmCookie(c);
  else clearTrackingCookies(c);
  const { country } = visitor;
  c.var.log('info', 'consent_chosen', { choice: consentValue(choice), country });
  c.executionCtx.waitUntil(record(c, identity.uuid, choice));
  return c.json({ data: { choice } });
});
