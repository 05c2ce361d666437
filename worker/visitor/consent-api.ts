import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import * as v from 'valibot';
import { setArmCookies } from '../experiments/assignment.ts';
import { storeArms } from '../experiments/experiment-cookie.ts';
import { screenOf } from '../experiments/rules/landing.ts';
import { ipLimits } from '../http/client-ip.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { shortTermDatabase } from '../platform/account-databases.ts';
import { hourMs } from '../platform/durations.ts';
import type { App } from '../platform/env.ts';
import { reasonOf } from '../platform/log.ts';
import { countUse } from '../platform/rate-count-table.ts';
import type { VisitorId } from '../platform/types.ts';
import { unanswered } from '../platform/unanswered.ts';
import { sleep } from '../platform/with-timeout.ts';
import { type Consent, consentDatabase, insertConsent } from './consent-table.ts';
import { type Choice, consentValue, permissionsOf } from './rules/consent.ts';
import { clearTrackingCookies, consentCookie, newIdentity, setVisitorCookies } from './visitor.ts';

const body = v.object({ choice: v.picklist(['yes', 'no']) });

/** The banner may ask again after half a year, but not earlier. */
const consentSeconds = 180 * 24 * 60 * 60;

/** With these delays, four attempts use up the time that may run after a response. */
const retryDelaysMs = [500, 2000, 6000];

/** Rows are kept for good, so one network writes a limited number of them. */
const rowsPerIp = 100;

/** @param now ms since 1970 */
export async function recordConsent(
  db: D1Database,
  consent: Consent,
  now: number,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<void> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await insertConsent(db, consent, now);
    } catch {
      await wait(delayMs); // The last try throws.
    }
  }
  await insertConsent(db, consent, now);
}

/** Counts a choice. True while D1 is down, because the record is then tried again. */
async function hasRoom(c: Context<App>): Promise<boolean> {
  const limits = await ipLimits(c, { name: 'consent', max: rowsPerIp, windowMs: hourMs });
  if (limits.length === 0) return true;
  const db = await shortTermDatabase(c.env, limits.at(-1)?.name ?? '');
  return countUse(db, limits, Date.now()).catch(unanswered(c.var.log, 'DB', true));
}

async function record(c: Context<App>, visitor: VisitorId, choice: Choice): Promise<void> {
  const { country, language } = c.var.visitor;
  try {
    const db = await consentDatabase(c.env, visitor);
    if (!(await hasRoom(c))) {
      return c.var.log('warn', 'consent_record_failed', { country, reason: 'rate_limited' });
    }
    await recordConsent(db, { visitor, choice, country, language }, Date.now());
  } catch (error) {
    const reason = reasonOf(error);
    c.var.log('error', 'consent_record_failed', { choice: consentValue(choice), country, reason });
  }
}

/** The arm, and the experiments that changed the first screen or the one with the banner: they are counted already. */
async function storeSeen(c: Context<App>): Promise<void> {
  const { landing, arms, variants } = c.var.assignment;
  await setArmCookies(c, landing);
  const referer = c.req.header('referer') ?? '';
  const screens = [
    screenOf(landing),
    URL.canParse(referer) ? new URL(referer).pathname.slice(1) : '',
  ];
  const seen = arms.filter((arm) =>
    screens.some((screen) => variants.shownOn(screen).includes(arm)),
  );
  if (seen.length > 0) storeArms(c, seen, arms);
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
  if (choice === 'yes') await storeSeen(c);
  else clearTrackingCookies(c);
  const { country } = visitor;
  c.var.log('info', 'consent_chosen', { choice: consentValue(choice), country });
  c.executionCtx.waitUntil(record(c, identity.uuid, choice));
  return c.json({ data: { choice } });
});
