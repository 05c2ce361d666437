import { createHmac } from 'node:crypto';
import { canonicalMailbox } from '../accounts/rules/mailbox.ts';
import { planById } from '../catalog/plans.ts';
import type { Env } from '../env.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { hmacOf } from '../http/hmac.ts';
import { signingSecret } from '../http/signing-secret.ts';
import { logAmbiguousResponse } from './gateway-call.ts';
import { isFullPrice, noteFullPrice, releaseIntro, reserveIntro } from './intro-table.ts';
import { paysInFull } from './purchase-request.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { type Attempt, isFinal } from './rules/attempt.ts';
import type { Gateway } from './rules/gateway.ts';

/** The secret that is never replaced, where there is one: another would forget who had an intro. */
const keyOf = (env: Env) => env.NUMBER_SECRET || signingSecret(env);

/** Names under which an intro is had once: the mailbox, and the payment method where it has one. */
async function namesOf(
  { nonce, gateway: name }: Attempt,
  email: string,
  gateway: Gateway,
  env: Env,
) {
  const method = nonce ? await gateway.fingerprint(nonce) : null;
  const told = [
    `mailbox:${canonicalMailbox(email)}`,
    ...(method ? [`method:${name}:${method}`] : []),
  ];
  return Promise.all(told.map((text) => hmacOf(keyOf(env), 'intro', text)));
}

/** Under which a mailbox pays in full, whatever account and gateway it comes with. */
export const fullPriceHash = (email: string, env: Env): string =>
  createHmac('sha256', keyOf(env))
    .update(`full_price:${canonicalMailbox(email)}`)
    .digest('base64url');

/**
 * Why an attempt is not charged: its mailbox pays in full, or the mailbox or the payment method had an
 * intro before; null when it may be. Its intro is then reserved.
 *
 * @throws when the gateway or D1 does not answer
 */
export async function chargeRefusal(
  attempt: Attempt,
  gateway: Gateway,
  ledger: PurchaseStorage,
  env: Env,
): Promise<Attempt['refusal']> {
  const { plan: id, coupon, sentAt } = attempt;
  const plan = planById(id);
  const intro = !!plan?.trialDays;
  if (!intro && (coupon === null || coupon === plan?.coupon?.code)) return null;
  const email = ledger.profile?.email ?? '';
  const { DB } = withBindingTimeouts(env);
  // What was sent may be paid by now.
  if (sentAt === null && (await isFullPrice(DB, fullPriceHash(email, env), Date.now()))) {
    return intro ? 'intro_used' : 'full_price_only';
  }
  if (!intro) return null;
  // What an earlier attempt of this account reserved and did not buy is free again first.
  if (!(await releaseUnusedIntros(ledger, env)))
    throw new Error('an intro could not be given back');
  const names = await namesOf(attempt, email, gateway, env);
  // Noted first, so that a crash leaves nothing reserved that is not given back.
  ledger.noteIntroReservation(attempt.id);
  return (await reserveIntro(DB, names, attempt.id, Date.now())) ? null : 'intro_used';
}

/**
 * Gives the intros of attempts back that bought nothing, and notes a mailbox that pays in full.
 *
 * @returns false while one of these could not be done
 */
export async function releaseUnusedIntros(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (const id of ledger.introReservations()) {
    const state = ledger.attempt(id)?.state;
    if (state && !isFinal(state)) continue;
    try {
      if (state !== 'active') await releaseIntro(withBindingTimeouts(env).DB, id);
    } catch (error) {
      logAmbiguousResponse(error, { attempt: id });
      return false;
    }
    ledger.deleteIntroReservation(id);
  }
  return noteMailbox(ledger, env);
}

async function noteMailbox(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  const { email = '', fullPriceHash: fullPrice } = ledger.profile ?? {};
  const name = email && paysInFull(ledger) ? fullPriceHash(email, env) : fullPrice;
  // The profile keeps the name that D1 has, while the account lives.
  if (!name || (email && name === fullPrice)) return true;
  try {
    await noteFullPrice(withBindingTimeouts(env).DB, name, Date.now());
  } catch (error) {
    logAmbiguousResponse(error);
    return false;
  }
  const { profile } = ledger;
  if (profile)
    ledger.setProfile({ ...profile, fullPriceHash: profile.isDeleted ? undefined : name });
  return true;
}
