import { createHmac } from 'node:crypto';
import { canonicalMailbox } from '../../accounts/rules/mailbox.ts';
import { planById } from '../../catalog/rules/plans.ts';
import type { Env } from '../../env.ts';
import { Unavailable } from '../../errors.ts';
import { hmacOf, signingSecret } from '../../http/hmac.ts';
import { logger, reasonOf } from '../../log.ts';
import { databaseAt, numbersFor } from '../../storage/account-databases.ts';
import { withBindingTimeouts } from '../../storage/binding-timeouts.ts';
import type { DatabaseNumber } from '../../storage/rules/database-number.ts';
import type { AttemptId } from '../../types.ts';
import type { PurchaseStorage } from '../purchase-storage.ts';
import { type Attempt, isFinal } from '../rules/attempt.ts';
import type { Gateway } from '../rules/gateway.ts';
import {
  hasOtherIntro,
  isFullPrice,
  markFullPrice,
  releaseIntro,
  reserveIntro,
} from './intro-table.ts';
import { paysInFull } from './purchase-request.ts';

const log = logger();

/** Only logged, because the object's alarm retries. */
function logDatabaseError(error: unknown, attempt?: AttemptId): void {
  const reason = reasonOf(error);
  log('warn', 'binding_unavailable', { binding: 'DB', attempt, reason });
}

/** Prefers the secret that is never replaced, because a new one would forget who had an intro. */
const keyOf = (env: Env) => env.PHONE_HASH_SECRET || signingSecret(env);

async function introHashes(
  { nonce, gateway: name }: Attempt,
  email: string,
  gateway: Gateway,
  env: Env,
) {
  const method = nonce ? await gateway.fingerprint(nonce) : null;
  const identities = [
    `mailbox:${canonicalMailbox(email)}`,
    ...(method ? [`method:${name}:${method}`] : []),
  ];
  return Promise.all(identities.map((text) => hmacOf(keyOf(env), 'intro', text)));
}

export const fullPriceHash = (email: string, env: Env): string =>
  createHmac('sha256', keyOf(env))
    .update(`full_price:${canonicalMailbox(email)}`)
    .digest('base64url');

const placesOf = (hash: string, env: Env) => numbersFor(env, `intro:${hash}`);

async function isKnownFullPrice(hash: string, env: Env): Promise<boolean> {
  for (const number of await placesOf(hash, env))
    if (await isFullPrice(databaseAt(withBindingTimeouts(env), number), hash, Date.now()))
      return true;
  return false;
}

/** A reservation's note: the attempt, and the database unless it is `DB`. */
const noteOf = (attempt: AttemptId, number: DatabaseNumber) =>
  number === 0 ? attempt : `${attempt}/${number}`;

/** In the order of database numbers, so that of two attempts with the same names one gets all. */
async function reserveAll(
  names: readonly string[],
  attempt: AttemptId,
  ledger: PurchaseStorage,
  env: Env,
): Promise<boolean> {
  const bound = withBindingTimeouts(env);
  const placed = await Promise.all(
    names.map(async (name) => ({ name, places: await placesOf(name, env) })),
  );
  for (const { name, places } of placed)
    for (const number of places.slice(1))
      if (await hasOtherIntro(databaseAt(bound, number), name, attempt, Date.now())) return false;
  const byNumber = Map.groupBy(placed, ({ places: [newest = 0] }) => newest);
  for (const [number, own] of [...byNumber].sort(([a], [b]) => a - b)) {
    // Stored before it is reserved, so that after a crash every reservation can be released.
    ledger.recordIntroReservation(noteOf(attempt, number));
    const hashes = own.map(({ name }) => name);
    if (!(await reserveIntro(databaseAt(bound, number), hashes, attempt, Date.now()))) return false;
  }
  return true;
}

/** Null when the attempt may be charged; an intro is then reserved. @throws when the gateway or D1 fails */
export async function chargeRefusal(
  attempt: Attempt,
  gateway: Gateway,
  ledger: PurchaseStorage,
  env: Env,
): Promise<Attempt['refusal']> {
  const { plan: id, coupon, sentAt } = attempt;
  const plan = planById(id);
  const isIntro = !!plan?.introDays;
  if (!isIntro && (coupon === null || coupon === plan?.coupon?.code)) return null;
  const email = ledger.profile?.email ?? '';
  // A charge that was sent may be paid by now.
  if (sentAt === null && (await isKnownFullPrice(fullPriceHash(email, env), env))) {
    return isIntro ? 'intro_used' : 'full_price_only';
  }
  if (!isIntro) return null;
  if (!(await releaseUnusedIntros(ledger, env))) throw new Unavailable('DB', 'not released');
  const names = await introHashes(attempt, email, gateway, env);
  return (await reserveAll(names, attempt.id, ledger, env)) ? null : 'intro_used';
}

/** @returns false while D1 does not answer */
export async function releaseUnusedIntros(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (const note of ledger.introReservations()) {
    const [id, number = 0] = note.split('/') as [AttemptId, string?];
    const state = ledger.attempt(id)?.state;
    if (state && !isFinal(state)) continue;
    try {
      if (state !== 'active') {
        await releaseIntro(databaseAt(withBindingTimeouts(env), Number(number)), id);
      }
    } catch (error) {
      logDatabaseError(error, id);
      return false;
    }
    ledger.deleteIntroReservation(note);
  }
  return markFullPriceMailbox(ledger, env);
}

async function markFullPriceMailbox(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  const { email = '', fullPriceHash: storedHash } = ledger.profile ?? {};
  const hash = email && paysInFull(ledger) ? fullPriceHash(email, env) : storedHash;
  if (!hash || (email && hash === storedHash)) return true;
  try {
    const [newest = 0] = await placesOf(hash, env);
    await markFullPrice(databaseAt(withBindingTimeouts(env), newest), hash, Date.now());
  } catch (error) {
    logDatabaseError(error);
    return false;
  }
  ledger.updateProfile({ fullPriceHash: ledger.profile?.isDeleted ? undefined : hash });
  return true;
}
