import { armCounts } from '../../analytics/rules/arm-counts.ts';
import { type CountInput, renewalReason, type Segment } from '../../analytics/rules/count.ts';
import { armsIn } from '../../experiments/rules/arms.ts';
import { syntheticArm } from '../../platform/log-counts.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Attempt } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import type { LedgerRow } from './ledger-table.ts';
import type { Change, Cohort, OutboxEntry } from './purchase-projection.ts';

/** When an entry was queued, in the key of the outbox: the same at each delivery. */
const queuedAt = (key: string) => Number(key.split(':')[1]);

type Payment = NonNullable<CountInput['payment']>;

function countOf(
  attempt: Attempt,
  step: string,
  segment: Segment | undefined,
  { at = attempt.openedAt, id = `${attempt.id}:${step}`, ...more }: Partial<CountInput & Payment>,
): CountInput {
  const { slot, plan, gateway: provider, experiment, arm: variant } = attempt;
  const { reason = '', amount = 0, squares = 0, reportedAt } = more;
  const payment = { slot, plan: plan.id, currency: plan.currency, reason, amount, squares };
  const known = { ...segment, experiment: experiment ?? '', variant };
  return { id, at, reportedAt, step, slice: known, provider, payment };
}

/** All steps of an attempt count in the hour in which it was opened, so that rates compare like with like. */
function stepsOf(attempt: Attempt, segment: Segment | undefined): CountInput[] {
  const { state, amount, charge, challengedAt, declineCode, refusal } = attempt;
  const step = (name: string, more: Partial<Payment> = {}) => countOf(attempt, name, segment, more);
  if (state === 'open') return [step('attempt', { amount })];
  if (state === 'challenged') return [step('challenge', { amount })];
  if (state === 'active') return [step('purchase', { amount: charge?.amount ?? amount })];
  if (!isFinal(state)) return [];
  const reason = declineCode ?? refusal ?? '';
  return [
    step(state, { amount, reason }),
    ...(challengedAt === null ? [] : [step('challenge_failed', { amount, reason })]),
  ];
}

function movementOf(
  row: LedgerRow,
  attempt: Attempt,
  segment: Segment | undefined,
  more: { reportedAt: number; squares: number; reason: string },
) {
  const { id, kind, at, amount } = row;
  return countOf(attempt, kind, segment, { id, at, amount, ...more });
}

/** In the hour of the sign-up, so that a sum over hours is one over visitors who signed up then. */
function cohortCounts(
  movement: CountInput,
  { kind, amount }: LedgerRow,
  { experiment, arm: variant, arms }: Attempt,
  { name: reason, signedUpAt, squares }: Cohort,
): CountInput[] {
  const { payment } = movement;
  if (!payment) return [];
  const net = kind === 'capture' ? amount : -amount;
  const count = {
    ...{ ...movement, id: `${movement.id}:cohort`, at: signedUpAt, step: 'cohort' },
    payment: { ...payment, reason, amount: net },
  };
  const split = experiment ? [{ experiment, variant }] : [];
  return armCounts(count, [...split, ...armsIn(arms)], squares);
}

/** The counts for rollups from entries for D1. The ledger stays the source. */
export function paymentCounts(
  storage: PurchaseStorage,
  entries: readonly { key: string; entry: Change | OutboxEntry }[],
): CountInput[] {
  return entries.flatMap(({ key, entry }) => {
    if (entry.kind === 'attempt') {
      const { attempt } = entry;
      if (attempt.arm === syntheticArm) return [];
      const steps = stepsOf(attempt, storage.segment(attempt.id));
      return steps.flatMap((step) => [step, ...armCounts(step, armsIn(attempt.arms))]);
    }
    if (entry.kind !== 'movement' || entry.row.arm === syntheticArm) return [];
    const attempt = storage.attempt(entry.row.attempt);
    const reason = entry.renewal ? renewalReason : '';
    const more = { reportedAt: queuedAt(key), squares: entry.squares ?? 0, reason };
    if (!attempt) return [];
    const movement = movementOf(entry.row, attempt, storage.segment(attempt.id), more);
    return [
      movement,
      ...armCounts(movement, armsIn(attempt.arms), entry.armSquares),
      ...(entry.cohort ? cohortCounts(movement, entry.row, attempt, entry.cohort) : []),
    ];
  });
}
