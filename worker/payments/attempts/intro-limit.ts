import { canonicalMailbox } from '../../accounts/rules/mailbox.ts';
import { planById } from '../../catalog/rules/plans.ts';
import { databaseAt } from '../../platform/account-databases.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import { Unavailable } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import type { DatabaseNumber } from '../../platform/rules/database-number.ts';
import type { AttemptId } from '../../platform/types.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Gateway } from '../purchase/gateway.ts';
import type { Attempt } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { identitiesOf, isMarkedAnywhere, mark, personHash, placesOf } from './person-hashes.ts';
import { hasOtherReservation, releaseReservations, reserveOnce } from './person-table.ts';
import { paysInFull } from './purchase-request.ts';

const log = logger();

/** Only logged, because the object's alarm retries. */
function logDatabaseError(error: unknown, attempt?: AttemptId): void {
  const reason = reasonOf(error);
  log('warn', 'binding_unavailable', { binding: 'DB', attempt, reason });
}

export const fullPriceHash = (email: string, env: Env): string =>
  personHash('full_price', canonicalMailbox(email), env);

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
      if (await hasOtherReservation(databaseAt(bound, number), name, attempt, Date.now()))
        return false;
  const byNumber = Map.groupBy(placed, ({ places: [newest = 0] }) => newest);
  for (const [number, own] of [...byNumber].sort(([a], [b]) => a - b)) {
    // Stored before it is reserved, so that after a crash every reservation can be released.
    ledger.recordIntroReservation(noteOf(attempt, number));
    const hashes = own.map(({ name }) => name);
    if (!(await reserveOnce(databaseAt(bound, number), hashes, attempt, Date.now()))) return false;
  }
  return true;
}

/** Null when the attempt may be charged; an intro and a typed coupon are then reserved. @throws when the gateway or D1 fails */
export async function chargeRefusal(
  attempt: Attempt,
  gateway: Gateway,
  ledger: PurchaseStorage,
  env: Env,
): Promise<Attempt['refusal']> {
  const { plan: id, coupon, sentAt } = attempt;
  const plan = planById(id);
  const isIntro = !!plan?.introDays;
  const isTyped = coupon !== null && coupon !== plan?.coupon?.code;
  if (!isIntro && !isTyped) return null;
  const email = ledger.profile?.email ?? '';
  // A charge that was sent may be paid by now.
  if (sentAt === null && (await isMarkedAnywhere(fullPriceHash(email, env), env))) {
    return isIntro ? 'intro_used' : 'full_price_only';
  }
  if (!(await releaseUnusedIntros(ledger, env))) throw new Unavailable('DB', 'not released');
  const identities = await identitiesOf(email, attempt.nonce, attempt.gateway, gateway, env);
  const reserve = (subject: string) => {
    const names = identities.map((identity) => personHash(subject, identity, env));
    return reserveAll(names, attempt.id, ledger, env);
  };
  if (isIntro && !(await reserve('intro'))) return 'intro_used';
  return isTyped && !(await reserve(`coupon:${coupon}`)) ? 'coupon_used' : null;
}

/** @returns false while D1 does not answer */
export async function releaseUnusedIntros(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (const note of ledger.introReservations()) {
    const [id, number = 0] = note.split('/') as [AttemptId, string?];
    const state = ledger.attempt(id)?.state;
    if (state && !isFinal(state)) continue;
    try {
      if (state !== 'active') {
        await releaseReservations(databaseAt(withBindingTimeouts(env), Number(number)), id);
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
    await mark(hash, env);
  } catch (error) {
    logDatabaseError(error);
    return false;
  }
  ledger.updateProfile({ fullPriceHash: ledger.profile?.isDeleted ? undefined : hash });
  return true;
}
