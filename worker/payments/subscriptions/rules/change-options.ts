import { isProrated } from '../../../catalog/rules/currencies.ts';
import { type PlanOptions, planOptions } from '../../../catalog/rules/plan-options.ts';
import type { Plan } from '../../../catalog/rules/plans.ts';
import { dayMs } from '../../../platform/durations.ts';
import type { EpochMs, PaymentId } from '../../../platform/types.ts';
import type { PlanChange } from '../../purchase/change-state.ts';
import { gatewayTraits } from '../../purchase/gateway-traits.ts';
import { unusualPeriod } from '../../purchase/price-raise.ts';
import type { Subscription } from '../../purchase/state.ts';

/** On the last day the gateway may already be renewing or ending the subscription. */
const lastChangeMs = dayMs;

export interface ChangeOptions {
  /** Changes that start at once. */
  upgrade: Plan[];
  /** Changes that start when the paid period ends. */
  switch: Plan[];
  /** 0 for no pause. */
  maxPauseMonths: PlanOptions['maxPauseMonths'];
  resume: boolean;
  continue: boolean;
}

const nothing: ChangeOptions = {
  upgrade: [],
  switch: [],
  maxPauseMonths: 0,
  resume: false,
  continue: false,
};

interface Row {
  kind: string;
  paymentId: PaymentId;
  at: EpochMs;
}

interface Facts {
  subscription: Subscription;
  rows: readonly Row[];
  /** The plans to which it can change. */
  targets: readonly Plan[];
}

/**
 * Whether the unused days of the newest payment may be credited: nothing of it was refunded, and nothing may be
 * refunded later. Stripe credits the whole price of the unused days, whatever was refunded.
 */
export function givesCredit({ isDisputed }: Subscription, rows: readonly Row[]): boolean {
  const captures = rows.filter(({ kind }) => kind === 'capture');
  const newest = captures.toSorted((a, b) => b.at - a.at)[0];
  return (
    !isDisputed &&
    !rows.some(({ kind, paymentId }) => kind !== 'capture' && paymentId === newest?.paymentId)
  );
}

export function changeOptions(facts: Facts, now: number): ChangeOptions {
  const { subscription, rows } = facts;
  const { plan, status, subscriptionId, paidUntil, pausesUntil, nextPlan, ends } = subscription;
  const isOpen = status !== 'ended' && status !== 'past_due' && !subscription.isProvisional;
  const isOver = !isOpen || subscription.withdrawnAt !== null || subscription.earlyEnd !== null;
  const isDisputed = rows.some(({ kind }) => kind === 'dispute');
  if (isOver || isDisputed || !subscriptionId || paidUntil === null) return nothing;
  const isCancelling = subscription.cancelRequestedAt !== null;
  const runs = paidUntil > now + lastChangeMs;
  if (pausesUntil !== null) {
    const lasts = pausesUntil > now + lastChangeMs;
    return { ...nothing, resume: !isCancelling && lasts && (runs || paidUntil <= now) };
  }
  if (!runs) return nothing;
  if (nextPlan !== null) return { ...nothing, continue: nextPlan.product !== plan.product };
  const { dearer, cheaper, maxPauseMonths } = planOptions(plan, facts.targets);
  // A cancellation has to reach the gateway before it is undone.
  if (ends) {
    const others = unusualPeriod(subscription, rows) ? [] : [...dearer, ...cheaper];
    return { ...nothing, switch: others, continue: !gatewayTraits[subscription.gateway].resumes };
  }
  const unusual = unusualPeriod(subscription, rows);
  if (!isCancelling && unusual === 'reduced') return { ...nothing, maxPauseMonths };
  if (isCancelling || unusual) return nothing;
  if (!isProrated(plan.currency))
    return { ...nothing, switch: [...dearer, ...cheaper], maxPauseMonths };
  const upgrade = givesCredit(subscription, facts.rows) ? dearer : [];
  return { ...nothing, upgrade, switch: cheaper, maxPauseMonths };
}

export function allows(
  options: ChangeOptions,
  { kind, plan, months }: { kind: PlanChange['kind']; plan: Plan; months: number },
): boolean {
  switch (kind) {
    case 'upgrade':
    case 'switch':
      return options[kind].some(({ id }) => id === plan.id);
    case 'pause':
      return Number.isInteger(months) && months >= 1 && months <= options.maxPauseMonths;
    case 'resume':
    case 'continue':
      return options[kind];
    case 'restart':
    case 'raise':
    case 'agree':
      return false;
    default:
      return kind satisfies never;
  }
}
