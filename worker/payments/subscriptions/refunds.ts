import { hourMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { logger } from '../../platform/log.ts';
import type { AttemptId, Minor, PaymentId } from '../../platform/types.ts';
import { chargeRequestOf, syncSubscription } from '../attempts/gateway-call.ts';
import { gatewayOf } from '../gateways/index.ts';
import { withdrawalNotice } from '../notices/money-notices.ts';
import { earlyEndKey, earlyRefundOf } from '../purchase/early-end.ts';
import { balance, movementIdOf, netRows } from '../purchase/money-movements.ts';
import { lateRenewals, mayClaim, mayWithdraw, planAt } from '../purchase/refund-rights.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { accessUntil, scheduleSync } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { endExtras, findOwned } from './cancel-resume.ts';
import { withdraw } from './rules/subscription-changes.ts';

const log = logger();
const refusedRetryDelayMs = hourMs;

function extrasOf(storage: PurchaseStorage, plan: Subscription): Subscription[] {
  const openedAt = ({ attempt }: Subscription) => storage.attempt(attempt)?.openedAt ?? 0;
  const plans = storage
    .subscriptions()
    .filter(({ slot }) => slot === plan.slot)
    .map((one) => ({ attempt: one.attempt, at: openedAt(one) }));
  return storage
    .subscriptions()
    .filter((one) => one.plan.dependsOn === plan.slot && one.status !== 'ended')
    .filter((one) => planAt(plans, openedAt(one))?.attempt === plan.attempt);
}

/**
 * Decides the refund of a purchase; the object's alarm then makes it with `refundOwed`. Withdraws from a
 * purchase, by law or under the guarantee, and from a plan's extras during their own withdrawal period.
 * @param guaranteed whether under the guarantee, because no invitee agreed
 * @returns undefined when there is no such subscription, or the period is over
 */
export function withdrawPurchase(
  storage: PurchaseStorage,
  id: AttemptId,
  guaranteed = false,
): Subscription | undefined {
  const owned = findOwned(storage, id);
  if (!owned) return undefined;
  const { found, attempt, rows } = owned;
  if (found.withdrawnAt) return found;
  const now = Date.now();
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  const isClaim = guaranteed && mayClaim(paidAt, now);
  if (!isClaim && !mayWithdraw(attempt.terms, now)) return undefined;
  const withdrawn = withdraw(found, now);
  const back = found.isProvisional ? attempt.amount : balance(rows);
  storage.saveSubscription(withdrawn);
  storage.notify(attempt.id, withdrawalNotice(attempt, back, isClaim, now));
  for (const extra of extrasOf(storage, withdrawn))
    withdrawPurchase(storage, extra.attempt, guaranteed);
  return withdrawn;
}

/**
 * Withdraws from an extra whose plan was withdrawn, or lost its access, while the extra was pending, or ends it with
 * its plan.
 */
export function alignWithPlan(storage: PurchaseStorage, { id, plan, openedAt }: Attempt): void {
  const slot = plan.dependsOn;
  const isPlanWithdrawn = storage
    .subscriptions()
    .some((one) => one.slot === slot && (one.withdrawnAt ?? 0) >= openedAt);
  const main = slot && storage.subscriptionInSlot(slot);
  const isUseless = slot && !(main && accessUntil(main) > Date.now());
  // By law, otherwise under the guarantee; the plan was withdrawn under one of the two.
  if ((isPlanWithdrawn || isUseless) && !withdrawPurchase(storage, id))
    withdrawPurchase(storage, id, true);
  endExtras(storage);
}

export interface RefundCommand {
  paymentId: PaymentId;
  /** Null for everything that remains of the payment. */
  amount: Minor | null;
  /** Idempotency key. */
  key: string;
}

export type RefundResult =
  | { kind: 'refunded'; amount: Minor; currency: string; remaining: Minor }
  | Refused<'refund_too_large' | 'payment_unknown'>
  | (Refused<'refund_refused'> & { reason: string });

function remainingOf(storage: PurchaseStorage, paymentId: PaymentId): Minor {
  return balance(storage.rows().filter((row) => row.paymentId === paymentId));
}

/** Refunds a payment, once per key. @throws when the gateway does not respond; the same call may then be repeated */
export async function refundPayment(
  { paymentId, amount, key }: RefundCommand,
  storage: PurchaseStorage,
  env: Env,
): Promise<RefundResult> {
  const rows = storage.rows().filter((row) => row.paymentId === paymentId);
  const capture = rows.find(({ kind }) => kind === 'capture');
  const attempt = capture && storage.attempt(capture.attempt);
  const subscription = attempt && storage.subscription(attempt.id);
  const { profile } = storage;
  if (!attempt || !subscription || !profile) return refused('payment_unknown');
  let requested = storage.refunds.of(key);
  if (!requested) {
    await syncSubscription(subscription, storage, env);
    const remaining = remainingOf(storage, paymentId);
    requested = { amount: amount ?? remaining, sentAt: null };
    if (requested.amount < 1 || requested.amount > remaining) return refused('refund_too_large');
    storage.refunds.save(key, requested);
  }
  const { amount: owed, sentAt } = requested;
  const gateway = await gatewayOf(attempt.gateway, env);
  const request = chargeRequestOf(storage, attempt, profile);
  const reply = await gateway.refund(request, paymentId, owed, {
    key,
    sentAt,
    markSent: () => storage.refunds.save(key, { amount: owed, sentAt: Date.now() }),
  });
  await syncSubscription(subscription, storage, env);
  if (reply.kind === 'refused') {
    storage.refunds.delete(key);
    return { ...refused('refund_refused'), reason: reply.reason };
  }
  const remaining = remainingOf(storage, paymentId);
  return { kind: 'refunded', amount: owed, currency: capture.currency, remaining };
}

/** A refund that failed later needs a new key, because the gateway remembers the answer to the old one. */
function refundKeyOf(storage: PurchaseStorage, why: string, payment: PaymentId): string {
  const failed = storage
    .rows()
    .filter(
      ({ id, kind, paymentId }) =>
        paymentId === payment && kind === 'refund' && movementIdOf(id) !== id,
    );
  return [why, payment, ...(failed.length > 0 ? [failed.length] : [])].join(':');
}

/**
 * Refunds what remains of a withdrawn purchase's payments and of renewals charged after their cancellation, and the
 * days after an early end.
 */
export async function refundOwed(id: AttemptId, storage: PurchaseStorage, env: Env): Promise<void> {
  const found = storage.subscription(id);
  if (!found) return;
  const rows = storage.rowsOf(id);
  const captures = rows.filter(({ kind }) => kind === 'capture');
  const whole = found.withdrawnAt === null ? lateRenewals(found, captures) : captures;
  const early = earlyRefundOf(found, netRows(rows));
  const owed = [
    ...(found.earlyEnd && early > 0
      ? [{ paymentId: found.earlyEnd.paymentId, amount: early, why: earlyEndKey }]
      : []),
    ...whole.map(({ paymentId }) => ({ paymentId, amount: null, why: 'withdrawal' })),
  ];
  for (const { paymentId, amount, why } of owed) {
    if (remainingOf(storage, paymentId) < 1) continue;
    const key = refundKeyOf(storage, why, paymentId);
    const result = await refundPayment({ paymentId, amount, key }, storage, env);
    if (result.kind === 'refunded') continue;
    // Braintree refunds a part only of a settled payment, a day or two after the charge.
    const isEarly = 'reason' in result && result.reason.startsWith('not settled');
    if (!isEarly) log('error', 'withdrawal_refused', { attempt: id, reason: result.refusal });
    const after = storage.subscription(id);
    if (after) storage.saveSubscription(scheduleSync(after, Date.now() + refusedRetryDelayMs));
  }
}
