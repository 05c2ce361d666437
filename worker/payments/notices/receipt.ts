import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import type { Terms } from '../../catalog/accepted-terms.ts';
import { marketById } from '../../catalog/rules/markets.ts';
import {
  isFreeTrial,
  type Plan,
  renewalPrice,
  withoutReduction,
} from '../../catalog/rules/plans.ts';
import { addMonths, addPeriods } from '../../catalog/rules/renewal-date.ts';
import { dayMs } from '../../platform/durations.ts';
import type { AttemptId, PaymentId } from '../../platform/types.ts';
import type { MovementRow } from '../purchase/money-movements.ts';
import type { GatewayName, Subscription } from '../purchase/state.ts';
import { renews } from '../purchase/subscription.ts';

/** A payment and what was refunded of it. Amounts in minor units, times in ms since 1970. */
export interface ReceiptView {
  id: PaymentId;
  attempt: AttemptId;
  slot: Plan['slot'];
  period: Plan['period'];
  introDays: Plan['introDays'];
  /** Of a plan with an intro or its own name, in the owner's language. */
  name?: string;
  texts?: Plan['texts'];
  currency: Plan['currency'];
  /** Including tax. */
  amount: number;
  /** Included in the amount; null where it is unknown. */
  tax: number | null;
  at: number;
  /** The period that it paid for; null if that is not certain, and for a one-time purchase. */
  covers: CoveredPeriod | null;
  /** Refunds; made by the buyer's bank if the payment was disputed. */
  refunds: { id: string; amount: number; tax: number | null; at: number; disputed: boolean }[];
  /** Whether the terms stated that the price includes all taxes. */
  taxIncluded: boolean;
  /** Set if the saved payment method paid it; null if another one may have. */
  savedMethodAt: GatewayName | null;
}

interface CoveredPeriod {
  from: number;
  to: number;
}

interface Facts {
  subscription: Subscription;
  boughtPlan: Plan;
  rows: readonly MovementRow[];
  coupon: string | null;
  terms: Terms | null;
}

/** Longer than gateways retry a renewal: a later payment begins a period of its own, as after a pause. */
const restartAfterMs = 21 * dayMs;

export const includesTax = (terms: Pick<Terms, 'market'> | null): boolean =>
  terms !== null && marketById(terms.market)?.tax === true;

const isOfChange = ({ paidSince }: Subscription, { at }: MovementRow) =>
  paidSince !== null && Math.abs(at - paidSince.at) < dayMs;

/** The ledger has no plan; it follows from the first payment, a change, or the price of a renewal. */
function planOfPayment(facts: Facts, row: MovementRow, isFirst: boolean): Plan {
  const { subscription, boughtPlan, coupon } = facts;
  if (isFirst) return isFreeTrial(boughtPlan) ? { ...boughtPlan, introDays: 0 } : boughtPlan;
  const { plan, paidSince } = subscription;
  const changed = paidSince?.plan;
  const renewed = [plan, changed, boughtPlan, withoutReduction(boughtPlan)].find(
    (one) => one && renewalPrice(one, coupon) === row.amount,
  );
  const found = changed && isOfChange(subscription, row) ? changed : (renewed ?? plan);
  return { ...found, introDays: 0 };
}

interface Cycle {
  anchor: number;
  count: number;
  end: number;
}
const cycleFrom = ({ at }: MovementRow): Cycle => ({ anchor: at, count: 0, end: at });

/** Each period follows the previous one. They are certain if the last ends when the gateway says. */
function periodsOf(
  facts: Facts,
  paid: readonly { row: MovementRow; plan: Plan }[],
): (CoveredPeriod | null)[] {
  const { subscription } = facts;
  const { paidUntil } = subscription;
  const [first] = paid;
  if (paidUntil === null || !first) return paid.map(() => null);
  let cycle = cycleFrom(first.row);
  const periods = paid.map(({ row, plan }): CoveredPeriod => {
    const isRestart = row.at - cycle.end > restartAfterMs || isOfChange(subscription, row);
    if (isRestart) cycle = cycleFrom(row);
    const from = cycle.end;
    if (plan.introDays !== 0) {
      cycle.anchor = row.at + plan.introDays * dayMs;
      cycle.end = cycle.anchor;
    } else {
      if (plan.period === 'week') cycle = { anchor: addPeriods(from, 'week', 1), count: 0, end: 0 };
      cycle.count += monthsOfPeriod[plan.period];
      cycle.end = addMonths(cycle.anchor, cycle.count);
    }
    return { from, to: cycle.end };
  });
  if (subscription.earlyEnd)
    return periods.map((one) => one && { ...one, to: Math.min(one.to, paidUntil) });
  if (Math.abs(cycle.end - paidUntil) < dayMs) return periods;
  return paid.map((one) =>
    one === paid.at(-1) && paidUntil > one.row.at ? { from: one.row.at, to: paidUntil } : null,
  );
}

export function receiptViews(facts: Facts): ReceiptView[] {
  const { subscription, rows, terms } = facts;
  const { attempt, gateway, cardChangedAt } = subscription;
  const paid = rows
    .filter(({ kind }) => kind === 'capture')
    .map((row, at) => ({ row, plan: planOfPayment(facts, row, at === 0) }));
  const periods = periodsOf(facts, paid);
  const refundsOf = (paymentId: PaymentId) =>
    rows.filter((row) => row.kind !== 'capture' && row.paymentId === paymentId);
  const views = paid.map(({ row, plan }, index): ReceiptView => {
    const { paymentId: id, amount, tax = null, at } = row;
    const { slot, period, introDays, currency, texts } = plan;
    const isSavedMethod = renews(subscription) && (cardChangedAt === null || at > cardChangedAt);
    return {
      ...{ id, attempt, slot, period, introDays, currency, amount, tax, at },
      ...(texts && { texts }),
      covers: period === 'once' ? null : (periods[index] ?? null),
      refunds: refundsOf(id).map((refund) => ({
        id: refund.id,
        amount: refund.amount,
        tax: refund.tax ?? null,
        at: refund.at,
        disputed: refund.kind === 'dispute',
      })),
      taxIncluded: includesTax(terms),
      savedMethodAt: isSavedMethod ? gateway : null,
    };
  });
  return views.reverse();
}
