import { canonicalMailbox } from '../../accounts/rules/mailbox.ts';
import { couponOfCode } from '../../catalog/rules/coupon-codes.ts';
import { databaseAt } from '../../platform/account-databases.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import { Unavailable } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import type { DatabaseNumber } from '../../platform/rules/database-number.ts';
import { type AttemptId, attemptIdOf } from '../../platform/types.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Gateway } from '../purchase/gateway.ts';
import type { Attempt } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { bouncedHere } from './bounced-debits.ts';
import {
  identitiesOf,
  isMarkedAnywhere,
  mailboxOf,
  mark,
  personHash,
  placesOf,
} from './person-hashes.ts';
import { hasOtherReservation, releaseReservations, reserveOnce } from './person-table.ts';
import { paysInFull } from './purchase-request.ts';

const log = logger();

/** Only logged, because the object's alarm retries. */
function logDatabaseError(error: unknown, attempt?: AttemptId): void {
  const reason = reasonOf(error);
  log('warn', 'binding_unavailable', { binding: 'DB', attempt, reason });
}

const fullPriceHash = (email: string, env: Env): string =>
  personHash('full_price', canonicalMailbox(email), env);

/** What an attempt uses up for its person. */
function limitsOf({ plan, coupon }: Attempt): string[] {
  const isTyped = coupon !== null && coupon !== plan.coupon?.code;
  return [
    ...(plan.introDays ? ['intro'] : []),
    ...(isTyped ? [`coupon:${couponOfCode(coupon)}`] : []),
  ];
}

/** A reservation's note: the attempt, and the database unless it is `DB`. */
const noteOf = (attempt: AttemptId, number: DatabaseNumber) =>
  number === 0 ? attempt : `${attempt}/${number}`;

/** In the order of database numbers, so that of two attempts with the same names one gets all. */
async function reserveAll(
  names: readonly string[],
  attempt: AttemptId,
  storage: PurchaseStorage,
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
    // The note is stored before the reservation, so that a reservation can be released after a crash.
    storage.introReservations.add(noteOf(attempt, number));
    const hashes = own.map(({ name }) => name);
    if (!(await reserveOnce(databaseAt(bound, number), hashes, attempt, Date.now()))) return false;
  }
  return true;
}

/** Null when the attempt may be charged; an intro and a typed coupon are then reserved. @throws when the gateway or D1 fails */
export async function chargeRefusal(
  attempt: Attempt,
  gateway: Gateway,
  storage: PurchaseStorage,
  env: Env,
): Promise<Attempt['refusal']> {
  const limits = limitsOf(attempt);
  if (limits.length === 0) return null;
  const email = storage.provenEmail;
  // A charge that was sent may be paid by now.
  const mayRefuse = attempt.sentAt === null && email !== '';
  if (mayRefuse && (await isMarkedAnywhere(fullPriceHash(email, env), env))) {
    return limits.includes('intro') ? 'intro_used' : 'full_price_only';
  }
  if (!(await releaseUnusedIntros(storage, env))) throw new Unavailable('DB', 'not released');
  const identities = await identitiesOf(email, attempt.nonce, attempt.gateway, gateway, env);
  for (const limit of limits) {
    const names = identities.map((identity) => personHash(limit, identity, env));
    if (await reserveAll(names, attempt.id, storage, env)) continue;
    return limit === 'intro' ? 'intro_used' : 'coupon_used';
  }
  return null;
}

/** @returns false while D1 does not answer */
export async function releaseUnusedIntros(storage: PurchaseStorage, env: Env): Promise<boolean> {
  for (const note of storage.introReservations.all()) {
    const [text = '', number = 0] = note.split('/');
    const id = attemptIdOf(text);
    const state = storage.attempt(id)?.state;
    if (state && !isFinal(state)) continue;
    try {
      if (state !== 'active') {
        await releaseReservations(databaseAt(withBindingTimeouts(env), Number(number)), id);
      }
    } catch (error) {
      logDatabaseError(error, id);
      return false;
    }
    storage.introReservations.delete(note);
  }
  return markMailbox(storage, env);
}

/** Keyed hashes of the proven mailbox for everything that its account has used up, also before it was proven. */
export function marksOf(storage: PurchaseStorage, env: Env): string[] {
  const email = storage.provenEmail;
  if (!email) return [];
  const bought = storage
    .attempts()
    .filter(({ id, state }) => state === 'active' && storage.counts(id));
  const limits = [...bought.flatMap(limitsOf), ...(bouncedHere(storage) ? ['debit'] : [])];
  const hashes = limits.map((limit) => personHash(limit, mailboxOf(email), env));
  return [...new Set(hashes), ...(paysInFull(storage) ? [fullPriceHash(email, env)] : [])];
}

async function markMailbox(storage: PurchaseStorage, env: Env): Promise<boolean> {
  const { unmarked, marked = [] } = storage.profile ?? {};
  const owed = unmarked ?? marksOf(storage, env).filter((hash) => !marked.includes(hash));
  try {
    for (const hash of owed) await mark(hash, env);
  } catch (error) {
    logDatabaseError(error);
    return false;
  }
  if (owed.length > 0)
    storage.updateProfile(unmarked ? { unmarked: [] } : { marked: [...marked, ...owed] });
  return true;
}
