import { canonicalMailbox } from '../accounts/rules/mailbox.ts';
import { planById } from '../catalog/plans.ts';
import type { Env } from '../env.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { hmacOf } from '../http/hmac.ts';
import { signingSecret } from '../http/signing-secret.ts';
import { releaseIntro, reserveIntro } from './intro-table.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { type Attempt, isFinal } from './rules/attempt.ts';
import type { Gateway } from './rules/gateway.ts';
import { logAmbiguousResponse } from './unclear.ts';

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
  return Promise.all(told.map((text) => hmacOf(keyOf(env), `intro:${text}`)));
}

/**
 * Reserves an attempt's intro before it is charged.
 *
 * @returns false when the mailbox or the payment method had one before
 * @throws when the gateway or D1 does not answer
 */
export async function mayCharge(
  attempt: Attempt,
  gateway: Gateway,
  ledger: PurchaseStorage,
  env: Env,
): Promise<boolean> {
  if (!planById(attempt.plan)?.trialDays) return true;
  // What an earlier attempt of this account reserved and did not buy is free again first.
  if (!(await settleIntros(ledger, env))) throw new Error('an intro could not be given back');
  const names = await namesOf(attempt, ledger.profile?.email ?? '', gateway, env);
  // Noted first, so that a crash leaves nothing reserved that is not given back.
  ledger.noteIntro(attempt.id);
  return reserveIntro(withBindingTimeouts(env).DB, names, attempt.id, Date.now());
}

/** Gives the intros of attempts back that bought nothing. @returns false while one could not be */
export async function settleIntros(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (const id of ledger.notedIntros()) {
    const state = ledger.attempt(id)?.state;
    if (state && !isFinal(state)) continue;
    try {
      if (state !== 'active') await releaseIntro(withBindingTimeouts(env).DB, id);
    } catch (error) {
      logAmbiguousResponse(error, { attempt: id });
      return false;
    }
    ledger.dropIntro(id);
  }
  return true;
}
