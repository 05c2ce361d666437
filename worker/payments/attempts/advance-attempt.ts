import { conversionOf } from '../../analytics/rules/conversion.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { type AttemptId, type Minor, type PaymentId, sumOf } from '../../platform/types.ts';
import { debitFailedNotice, debitNotice, purchaseNotice } from '../notices/money-notices.ts';
import {
  applyOutcome,
  applyWebhook,
  type GatewayStep,
  isFinal,
  nextStep,
  resumeAfterChallenge,
  withChange,
} from '../purchase/attempt.ts';
import { rerouteReason } from '../purchase/failover.ts';
import type { Attempt, GatewayName, GatewayOutcome } from '../purchase/state.ts';
import { changed } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { alignWithPlan } from '../subscriptions/refunds.ts';
import {
  confirmProvisional,
  startSubscription,
} from '../subscriptions/rules/subscription-changes.ts';
import { advance, type TryWork } from './advance-try.ts';
import { hasBounced, recordBounce } from './bounced-debits.ts';
import { admittedStep, leaveGateway, nextGateway } from './failover.ts';
import { callGateway, recordReversal } from './gateway-call.ts';

const log = logger();

function reportLostMoney(after: Attempt, outcome: GatewayOutcome, storage: PurchaseStorage): void {
  const account = storage.profile?.account;
  if (outcome.kind !== 'rejected' || !account) return;
  const { id: attempt, plan, gateway } = after;
  const { reason, keptCapture, reversed = { captures: [], refunds: [] } } = outcome;
  const { currency } = plan;
  const report = (payment: PaymentId, amount: Minor, state: 'kept' | 'returned') => {
    const money = { attempt, payment, amount, currency };
    log('error', 'captured_without_purchase', { ...money, vendor: gateway, reason, state });
    if (state === 'kept') {
      const unspent = { ...money, account, gateway, at: Date.now() };
      storage.queue({ kind: 'unspent_money', money: unspent });
    }
  };
  if (keptCapture) report(keptCapture.paymentId, keptCapture.amount, 'kept');
  for (const { paymentId, amount } of reversed.captures) {
    const refunds = reversed.refunds.filter((refund) => refund.paymentId === paymentId);
    report(paymentId, amount, sumOf(refunds) < amount ? 'kept' : 'returned');
  }
}

function updateOperatorCase(before: Attempt, after: Attempt, storage: PurchaseStorage): void {
  const account = storage.profile?.account;
  const { id: attempt, gateway, openedAt: since, caseAt } = after;
  const isOpen = !isFinal(after.state);
  if (!account || caseAt === null || (isOpen && caseAt === before.caseAt)) return;
  const state = isOpen ? 'open' : 'resolved';
  log(isOpen ? 'error' : 'info', 'outcome_unknown', { attempt, vendor: gateway, state });
  const operatorCase = { attempt, account, gateway, since, isOpen, at: Date.now() };
  storage.queue({ kind: 'operator_case', operatorCase });
}

/** Stored in one write with the attempt's own change, so that a crash cannot separate them. */
function recordSuccess(storage: PurchaseStorage, attempt: Attempt, now: number): void {
  const { subscription: started, movements } = startSubscription(attempt, now);
  const provisional = storage.subscription(attempt.id);
  const subscription = provisional ? confirmProvisional(provisional, started, now) : started;
  storage.saveSubscription(subscription, movements);
  storage.notify(attempt.id, purchaseNotice(attempt, subscription, now));
  const adClickData = storage.adClickData(attempt.id);
  if (adClickData) {
    storage.setAdClickData(attempt.id, null);
    storage.queue({ kind: 'conversion', conversion: conversionOf(attempt, adClickData, now) });
  }
  if (!attempt.charge) return;
  const { customerId, methodId } = attempt.charge;
  const { bank, wallet } = attempt;
  storage.saveCustomer(attempt.gateway, { customerId, methodId, isDebit: bank !== null, wallet });
}

function logStep({ id, arm, state }: Attempt, outcome: GatewayOutcome, ms: number, vendor: string) {
  const reason = outcome.kind === 'rejected' ? outcome.reason : outcome.kind;
  log('info', 'purchase_attempt_changed', { attempt: id, vendor, arm, state, reason, ms });
}

function purchaseWork(
  id: AttemptId,
  storage: PurchaseStorage,
  env: Env,
): TryWork<Attempt, GatewayStep, GatewayOutcome> | undefined {
  const found = storage.attempt(id);
  if (!storage.profile || !found) return undefined;
  const { gateway } = found;
  let ms = 0;
  let waits: boolean | null = null;
  let leaving: { to: GatewayName; reason: string } | null = null;
  const latest = () => storage.attempt(id);
  return {
    found,
    context: { vendor: gateway, attempt: id },
    machine: { nextStep, applyOutcome },
    latest,

    async call(step) {
      const admitted = await admittedStep(step, found, storage, env);
      if (!admitted) return null;
      const calledAt = Date.now();
      const outcome = await callGateway(admitted, found, storage, env);
      ms = Date.now() - calledAt;
      if (outcome.kind === 'processing')
        waits = await hasBounced({ attempt: id, gateway, ...outcome.charge }, storage, env);
      const now = Date.now();
      const reason = rerouteReason(latest() ?? found, { step: admitted, outcome }, now);
      const to = reason === null ? null : await nextGateway(found, env);
      leaving = reason !== null && to !== null ? { to, reason } : null;
      return outcome;
    },

    record({ before, after }, outcome) {
      const now = Date.now();
      if (outcome.kind === 'expired') return storage.save(after);
      if (leaving) {
        // A cancelled, unpaid attempt is not final while another gateway can take it.
        const left = isFinal(after.state) ? before : after;
        leaveGateway(left, leaving.to, leaving.reason, storage);
        return logStep(latest() ?? after, outcome, ms, gateway);
      }
      storage.save(after);
      if (outcome.kind === 'rejected' && outcome.reversed)
        recordReversal(storage, after, outcome.reversed);
      updateOperatorCase(before, after, storage);
      if (after.state === 'processing') startProvisionally(storage, after, waits, now);
      if (after.state === 'declined' || after.state === 'failed')
        endProvisional(storage, after, now);
      if (after.state === 'active') {
        recordSuccess(storage, after, now);
        alignWithPlan(storage, after);
      }
      logStep(after, outcome, ms, gateway);
      reportLostMoney(after, outcome, storage);
    },
  };
}

export const advanceAttempt = (id: AttemptId, storage: PurchaseStorage, env: Env): Promise<void> =>
  advance(() => purchaseWork(id, storage, env));

/** How soon it is asked again whether an earlier debit bounced. */
const askAgainMs = minuteMs;

/**
 * Gives access while the debit is being processed, unless it waits for the money. Stored in one write with the
 * attempt's own change.
 * @param waits null while it is unknown
 */
function startProvisionally(
  storage: PurchaseStorage,
  attempt: Attempt,
  waits: boolean | null,
  now: number,
): void {
  const known = storage.subscription(attempt.id);
  const waitsForMoney = waits ?? known?.waitsForMoney ?? true;
  if (waits === null && waitsForMoney)
    storage.save(withChange(attempt, { dueAt: now + askAgainMs }));
  if (known?.waitsForMoney === waitsForMoney) return;
  const { subscription } = startSubscription(attempt, now);
  const provisional = { ...subscription, isProvisional: true, remindAt: null, dueAt: null };
  const found = known ?? provisional;
  const { version } = found;
  storage.saveSubscription({ ...found, waitsForMoney, version: known ? version + 1 : version });
  if (found.withdrawnAt === null)
    storage.notify(attempt.id, debitNotice(attempt, waitsForMoney, now));
}

/** Ends the access given for a debit that failed. Stored in one write with the attempt's own change. */
function endProvisional(storage: PurchaseStorage, attempt: Attempt, now: number): void {
  const found = storage.subscription(attempt.id);
  if (!found?.isProvisional || found.status === 'ended') return;
  if (attempt.state === 'declined') recordBounce(storage, attempt.id);
  storage.saveSubscription(changed(found, { status: 'ended', ends: true, dueAt: null }, now));
  if (found.withdrawnAt || storage.profile?.isDeleted) return;
  storage.notify(attempt.id, debitFailedNotice(attempt, now));
}

/** An event may tell that the challenge of a pending attempt is over. */
export function resumeChallenged(storage: PurchaseStorage): void {
  for (const before of storage.pendingAttempts()) {
    const now = Date.now();
    const resumed = applyWebhook(resumeAfterChallenge(before, null, now), now);
    if (resumed !== before) storage.save(resumed);
  }
}
