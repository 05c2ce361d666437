import { endSuspension } from '../invitations/sms/sms-limiter-object.ts';
import { findPayerOf } from '../payments/ledger/payer-lookup.ts';
import { accountOfSubscription } from '../payments/ledger/purchase-lookup.ts';
import type { StoredSubscription } from '../payments/storage/stored-records.ts';
import type { RefundResult } from '../payments/subscriptions/refunds.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { Refusal, throwIfRefused } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { AccountId, AttemptId, Minor, PaymentId } from '../platform/types.ts';

interface Refund {
  paymentId: PaymentId;
  /** Null refunds everything that remains. */
  amount: Minor | null;
  /** Each key refunds once. */
  key: string;
}

/** @throws Refusal */
export async function refundAsOperator(
  env: Env,
  log: Log,
  { paymentId, amount, key }: Refund,
): Promise<Extract<RefundResult, { kind: 'refunded' }>> {
  const account = await findPayerOf(env, paymentId);
  if (account === null) throw new Refusal('payment_unknown');
  const purchases = env.PURCHASES.getByName(account);
  // The payment is part of the key, so the same key for another payment is another command.
  const result = await purchases.refund(paymentId, amount, `${paymentId}:${key}`);
  if (result.kind === 'refused' && result.refusal === 'refund_refused') {
    log('warn', 'refund_refused', { reason: result.reason });
  }
  return throwIfRefused(result);
}

/** Ends the renewals; the paid period continues. @throws Refusal `not_found` */
export async function endAsOperator(env: Env, attempt: AttemptId): Promise<StoredSubscription> {
  const account = await accountOfSubscription(accountDatabase(env, attempt), attempt);
  const ended = account && (await env.PURCHASES.getByName(account).cancelSubscription(attempt));
  if (!ended) throw new Refusal('not_found');
  return ended.subscription;
}

/** Lets a reported account invite, and see what is shared, again. @throws Refusal `not_found` when it is not suspended */
export async function releaseRequester(env: Env, account: AccountId): Promise<void> {
  if (!(await endSuspension(env, account))) throw new Refusal('not_found');
}
