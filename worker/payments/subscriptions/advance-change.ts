import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { epochMs } from '../../platform/types.ts';
import {
  chargeRequestOf,
  logAmbiguousResponse,
  recordReversal,
  syncSubscription,
} from '../attempts/gateway-call.ts';
import { gatewayOf } from '../gateways/index.ts';
import type { LedgerRow } from '../ledger/ledger-table.ts';
import { changeNotice } from '../notices/subscription-notices.ts';
import type { ChangeOutcome, PlanChange } from '../purchase/change-state.ts';
import { movementOf, netRows } from '../purchase/money-movements.ts';
import {
  applyChangeOutcome,
  applyChangeProgress,
  isPending,
  mayChallenge,
  mayStart,
} from '../purchase/plan-change.ts';
import type { Subscription } from '../purchase/state.ts';
import { findOwned } from './cancel-resume.ts';
import type { Stores } from './change-quotes.ts';
import { givesCredit } from './rules/change-options.ts';
import { changeSubscription, isCancelledSince } from './rules/subscription-changes.ts';

const log = logger();

function record(
  { storage, changes }: Stores,
  before: PlanChange,
  outcome: ChangeOutcome,
): PlanChange {
  const now = Date.now();
  const after = applyChangeOutcome(before, outcome, now);
  const found = storage.subscription(before.attempt);
  const attempt = storage.attempt(before.attempt);
  changes.save(after);
  if (!found || !attempt) return after;
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
  return after;
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

/** One step of a change at its gateway; never throws. */
export async function advanceChange(stores: Stores, env: Env, id: string): Promise<void> {
  const { storage, changes } = stores;
  const change = changes.get(id);
  const owned = change && findOwned(storage, change.attempt);
  if (!change || !owned || !isPending(change) || change.dueAt > Date.now()) return;
  const { attempt, found, profile } = owned;
  let outcome: ChangeOutcome = { kind: 'none' };
  try {
    const gateway = await gatewayOf(found.gateway, env);
    const request = {
      ...chargeRequestOf(storage, attempt, profile),
      change,
      mayStart: mayStart(change, Date.now()),
      mayChallenge: mayChallenge(change, Date.now()),
      recordChange: (progress: Parameters<typeof applyChangeProgress>[1]) =>
        changes.save(applyChangeProgress(changes.get(id) ?? change, progress)),
    };
    // The credited payment may have been disputed or refunded since it was last read.
    if (change.kind === 'upgrade' && change.state === 'open')
      await syncSubscription(found, storage, env);
    const now = storage.subscription(change.attempt) ?? found;
    const isStopped =
      change.state === 'open' && isSuperseded(now, change, storage.rowsOf(change.attempt));
    if (!isStopped) outcome = await gateway.change(request);
  } catch (error) {
    logAmbiguousResponse(error, { vendor: found.gateway, attempt: attempt.id });
    outcome = { kind: 'unknown' };
  }
  const after = record(stores, changes.get(id) ?? change, outcome);
  const { gateway: vendor, arm } = attempt;
  const reason = outcome.kind === 'rejected' ? outcome.reason : outcome.kind;
  const fields = { attempt: attempt.id, vendor, arm, type: after.kind, state: after.state, reason };
  log(after.caseAt === change.caseAt ? 'info' : 'error', 'plan_change_advanced', fields);
  const changed = storage.subscription(attempt.id);
  if (outcome.kind !== 'done' || !changed) return;
  await syncSubscription(changed, storage, env).catch((error) =>
    logAmbiguousResponse(error, { vendor, attempt: attempt.id }),
  );
  // Times are in whole seconds, so that the purchase may have the quote's time.
  const earlier: (string | undefined)[] = [attempt.charge?.paymentId, ...found.earlier.paymentIds];
  const charged = storage
    .rowsOf(attempt.id)
    .filter(
      ({ kind, at, id: row, paymentId }) =>
        kind === 'capture' &&
        movementOf(row) === row &&
        at >= after.quotedAt &&
        !earlier.includes(paymentId),
    )
    .reduce((sum, { amount }) => sum + amount, 0);
  if (charged !== after.amount && after.amount > 0)
    log('error', 'charge_differs_from_quote', { attempt: attempt.id, amount: charged });
}
