import { createHmac } from 'node:crypto';
import { canonicalMailbox } from '../accounts/rules/mailbox.ts';
import { planById } from '../catalog/plans.ts';
import type { Env } from '../env.ts';
import { Unavailable } from '../errors.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { hmacOf, signingSecret } from '../http/hmac.ts';
import { logger } from '../log.ts';
import { isFullPrice, markFullPrice, releaseIntro, reserveIntro } from './intro-table.ts';
import { paysInFull } from './purchase-request.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { type Attempt, isFinal } from './rules/attempt.ts';
import type { Gateway } from './rules/gateway.ts';

const log = logger();

/** The object's alarm tries again. */
function logDatabaseError(error: unknown, attempt?: string): void {
  const reason = error instanceof Error ? error.name : 'thrown';
  log('warn', 'binding_unavailable', { binding: 'DB', attempt, reason });
}

/** Where set, the secret that is never replaced: a new one would forget who had an intro. */
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

/** Null when the attempt may be charged; an intro is then reserved. @throws when the gateway or D1 fails */
export async function chargeRefusal(
  attempt: Attempt,
  gateway: Gateway,
  ledger: PurchaseStorage,
  env: Env,
): Promise<Attempt['refusal']> {
  const { plan: id, coupon, sentAt } = attempt;
  const plan = planById(id);
  const isIntro = !!plan?.trialDays;
  if (!isIntro && (coupon === null || coupon === plan?.coupon?.code)) return null;
  const email = ledger.profile?.email ?? '';
  const { DB } = withBindingTimeouts(env);
  // A charge that was sent may be paid by now.
  if (sentAt === null && (await isFullPrice(DB, fullPriceHash(email, env), Date.now()))) {
    return isIntro ? 'intro_used' : 'full_price_only';
  }
  if (!isIntro) return null;
  if (!(await releaseUnusedIntros(ledger, env))) throw new Unavailable('DB', 'not released');
  const names = await introHashes(attempt, email, gateway, env);
  // Noted before it is reserved, so that a crash leaves no reservation that is never released.
  ledger.noteIntroReservation(attempt.id);
  return (await reserveIntro(DB, names, attempt.id, Date.now())) ? null : 'intro_used';
}

/** @returns false while D1 does not answer */
export async function releaseUnusedIntros(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (const id of ledger.introReservations()) {
    const state = ledger.attempt(id)?.state;
    if (state && !isFinal(state)) continue;
    try {
      if (state !== 'active') await releaseIntro(withBindingTimeouts(env).DB, id);
    } catch (error) {
      logDatabaseError(error, id);
      return false;
    }
    ledger.deleteIntroReservation(id);
  }
  return markFullPriceMailbox(ledger, env);
}

async function markFullPriceMailbox(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  const { email = '', fullPriceHash: storedHash } = ledger.profile ?? {};
  const hash = email && paysInFull(ledger) ? fullPriceHash(email, env) : storedHash;
  if (!hash || (email && hash === storedHash)) return true;
  try {
    await markFullPrice(withBindingTimeouts(env).DB, hash, Date.now());
  } catch (error) {
    logDatabaseError(error);
    return false;
  }
  ledger.updateProfile({ fullPriceHash: ledger.profile?.isDeleted ? undefined : hash });
  return true;
}
