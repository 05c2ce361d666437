import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { epochMs } from '../../platform/types.ts';
import { advance, type TryWork } from '../attempts/advance-try.ts';
import {
  chargeRequestOf,
  logAmbiguousResponse,
  recordReversal,
  syncSubscription,
} from '../attempts/gateway-call.ts';
import { gatewayOf } from '../gateways/index.ts';
import type { LedgerRow } from '../ledger/ledger-table.ts';
import { changeNotice } from '../notices/subscription-notices.ts';
import type { ChangeOutcome, ChangeProgress, PlanChange } from '../purchase/change-state.ts';
import type { Unanswered } from '../purchase/gateway-try.ts';
import { movementIdOf, netRows } from '../purchase/money-movements.ts';
import {
  applyChangeProgress,
  changeMachine,
  mayChallenge,
  mayStart,
} from '../purchase/plan-change.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { findOwned } from './cancel-resume.ts';
import type { Stores } from './change-quotes.ts';
import { givesCredit } from './rules/change-options.ts';
import { changeSubscription, isCancelledSince } from './rules/subscription-changes.ts';

const log = logger();

function recordChange(
  { storage, changes }: Stores,
  before: PlanChange,
  after: PlanChange,
  outcome: ChangeOutcome | Unanswered,
): void {
  const now = Date.now();
  const found = storage.subscription(before.attempt);
  const attempt = storage.attempt(before.attempt);
  changes.save(after);
  if (!found || !attempt) return;
  if (after.state === 'declined' || after.state === 'failed')
    storage.announced.disagree(attempt.id, after.id);
  if (outcome.kind === 'done') {
    const changed = changeSubscription(found, after, outcome, now);
    const { payment } = outcome;
    const capture = payment && { ...payment, paymentId: payment.id, at: epochMs(now) };
    storage.saveSubscription(changed, capture ? [{ kind: 'capture', ...capture }] : []);
    const notice = changeNotice(attempt, { ...after, tax: payment?.tax }, now);
    if (notice && !storage.profile?.isDeleted && !found.resumedAt)
      storage.notify(attempt.id, notice);
  }
  if (outcome.kind === 'rejected' && outcome.reversed && before.paymentId) {
    const { earlier } = found;
    const paymentIds = [...earlier.paymentIds, before.paymentId];
    storage.saveSubscription({
      ...found,
      earlier: { ...earlier, paymentIds },
      version: found.version + 1,
    });
    recordReversal(storage, attempt, outcome.reversed);
  }
}

/** A change of a plan that was refunded or cancelled meanwhile is not started. */
function isSuperseded(
  found: Subscription,
  change: PlanChange,
  rows: readonly LedgerRow[],
): boolean {
  const { withdrawnAt, status, cancelRequestedAt } = found;
  const undoesCancellation = change.kind === 'continue' || change.kind === 'switch';
  const endsByCancellation =
    change.kind !== 'restart' && (!undoesCancellation || isCancelledSince(found, change));
  return (
    withdrawnAt !== null ||
    status === 'ended' ||
    (change.kind === 'upgrade' && !givesCredit(found, netRows(rows))) ||
    (cancelRequestedAt !== null && endsByCancellation)
  );
}

/** A change charges what its quote said. */
function checkCharge(
  { storage }: Stores,
  change: PlanChange,
  attempt: Attempt,
  earlier: readonly string[],
): void {
  // Times are in whole seconds, so that an earlier payment may have the quote's time.
  const known: (string | null | undefined)[] = [
    attempt.charge?.paymentId,
    ...(change.credited ?? []),
    ...earlier,
  ];
  const charged = storage
    .rowsOf(attempt.id)
    .filter(
      ({ kind, at, id: row, paymentId }) =>
        kind === 'capture' &&
        movementIdOf(row) === row &&
        at >= change.quotedAt &&
        !known.includes(paymentId),
    )
    .reduce((sum, { amount }) => sum + amount, 0);
  if (charged !== change.amount && change.amount > 0)
    log('error', 'charge_differs_from_quote', { attempt: attempt.id, amount: charged });
}

function changeWork(
  stores: Stores,
  env: Env,
  id: string,
): TryWork<PlanChange, 'change', ChangeOutcome> | undefined {
  const { storage, changes } = stores;
  const change = changes.get(id);
  const owned = change && findOwned(storage, change.attempt);
  if (!change || !owned) return undefined;
  const { attempt, found: subscription, profile } = owned;
  const { gateway: vendor, arm } = attempt;
  const context = { vendor: subscription.gateway, attempt: attempt.id };
  return {
    found: change,
    context,
    machine: changeMachine,
    latest: () => changes.get(id),

    async call() {
      const gateway = await gatewayOf(subscription.gateway, env);
      const now = Date.now();
      const request = {
        ...chargeRequestOf(storage, attempt, profile),
        change,
        mayStart: mayStart(change, now),
        mayChallenge: mayChallenge(change, now),
        recordChange: (progress: ChangeProgress) =>
          changes.save(applyChangeProgress(changes.get(id) ?? change, progress)),
      };
      if (change.state === 'open') {
        // The credited payment may have been disputed or refunded since it was last read.
        if (change.kind === 'upgrade') await syncSubscription(subscription, storage, env);
        const current = storage.subscription(change.attempt) ?? subscription;
        if (isSuperseded(current, change, storage.rowsOf(change.attempt))) return { kind: 'none' };
      }
      return gateway.change(request);
    },

    async record({ before, after }, outcome) {
      recordChange(stores, before, after, outcome);
      const reason = outcome.kind === 'rejected' ? outcome.reason : outcome.kind;
      const fields = { attempt: attempt.id, vendor, arm, type: after.kind, state: after.state };
      const level = after.caseAt === change.caseAt ? 'info' : 'error';
      log(level, 'plan_change_advanced', { ...fields, reason });
      const changed = storage.subscription(attempt.id);
      if (outcome.kind !== 'done' || !changed) return;
      await syncSubscription(changed, storage, env).catch((error) =>
        logAmbiguousResponse(error, context),
      );
      checkCharge(stores, after, attempt, subscription.earlier.paymentIds);
    },
  };
}

export const advanceChange = (stores: Stores, env: Env, id: string): Promise<void> =>
  advance(() => changeWork(stores, env, id));
