import type Stripe from 'stripe';
import type { Env } from '../../../platform/env.ts';
import {
  accountIdOf,
  attemptIdOf,
  type Minor,
  minor,
  type PaymentId,
  paymentIdOf,
} from '../../../platform/types.ts';
import type {
  BookedMovement,
  Fees,
  MoneyDifference,
  PaidPeriod,
  SettlementReader,
} from '../../purchase/settlement.ts';
import { idOf, type StripeClient, stripeClient } from './client.ts';
import { listAll, maxObjects, pageSize } from './statement.ts';

const seconds = ({ from, to }: PaidPeriod) => ({ gte: from / 1000, lt: to / 1000 });

const common = (paymentId: string, metadata: Stripe.Metadata | null, customer: string) => ({
  paymentId: paymentIdOf(paymentId),
  attempt: metadata?.attempt_id ? attemptIdOf(metadata.attempt_id) : null,
  account: metadata?.account ? accountIdOf(metadata.account) : null,
  customerId: customer || null,
  subscriptionId: null,
});

/** In the source's currency, not the payout's. Types: docs.stripe.com/reports/balance-transaction-types */
function movementIn({
  reporting_category: category,
  source,
}: Stripe.BalanceTransaction): BookedMovement | null {
  if (!source || typeof source === 'string') return null;
  if (category === 'charge' && source.object === 'charge') {
    // A debit is booked when it begins, and again if it fails.
    if (source.status !== 'succeeded') return null;
    const payment = idOf(source.payment_intent) || source.id;
    return {
      ...common(payment, source.metadata, idOf(source.customer)),
      id: `capture:${payment}`,
      amount: minor(source.amount_captured),
      currency: source.currency,
    };
  }
  const isRefund = category === 'refund' || category === 'refund_failure';
  if (isRefund && source.object === 'refund') {
    const payment = idOf(source.payment_intent) || idOf(source.charge);
    const failed = source.status === 'failed' || source.status === 'canceled';
    return {
      ...common(payment, source.metadata, ''),
      id: `refund:${source.id}`,
      amount: minor(failed ? 0 : source.amount),
      currency: source.currency,
    };
  }
  // The ledger records a dispute when it is lost; until then its money is only withheld.
  if (source.object !== 'dispute' || source.status !== 'lost') return null;
  const payment = idOf(source.payment_intent) || idOf(source.charge);
  return {
    ...common(payment, null, ''),
    id: `dispute:${source.id}`,
    amount: minor(source.amount),
    currency: source.currency,
  };
}

/** `fee` is in the currency of the balance. docs.stripe.com/api/balance_transactions/object */
function feesIn(transactions: readonly Stripe.BalanceTransaction[]): Fees {
  const fees: Record<string, number> = {};
  for (const { currency, fee } of transactions) {
    const name = currency.toUpperCase();
    fees[name] = (fees[name] ?? 0) + fee;
  }
  return fees;
}

type Paid = readonly { paymentId: PaymentId; at: number }[];

/** All of their time, or each payment's own if there are too many: a page of two databases spans a whole day. */
async function chargesOf(stripe: StripeClient, rows: Paid): Promise<Stripe.Charge[]> {
  const times = rows.map(({ at }) => Math.floor(at / 1000));
  const created = { gte: Math.min(...times), lte: Math.max(...times) };
  const list = stripe.charges.list({ created, limit: pageSize });
  const found = await list.autoPagingToArray({ limit: maxObjects });
  if (found.length < maxObjects) return found;
  const own: Stripe.Charge[] = [];
  for (const { paymentId: payment_intent } of rows)
    own.push(...(await listAll(stripe.charges.list({ payment_intent, limit: pageSize }))));
  return own;
}

async function uncaptured(stripe: StripeClient, rows: Paid): Promise<PaymentId[]> {
  const charges = await chargesOf(stripe, rows);
  const captured = new Set(
    charges
      .filter((charge) => charge.captured && charge.status === 'succeeded')
      .map(({ payment_intent }) => idOf(payment_intent)),
  );
  return rows.flatMap(({ paymentId }) => (captured.has(paymentId) ? [] : [paymentId]));
}

interface PayoutCursor {
  /** The payout being added up, and the sum of its earlier pages. */
  payout: string;
  after?: string;
  sum: number;
}

const differing = (payout: Stripe.Payout, sum: Minor | null): MoneyDifference => ({
  kind: 'payout_differs',
  gateway: 'stripe',
  id: payout.id,
  attempt: null,
  currency: payout.currency.toUpperCase(),
  provider: minor(payout.amount),
  ledger: sum,
});

/** One page of one payout, whose amount must equal the sum of its movements. */
async function payouts(stripe: StripeClient, period: PaidPeriod, cursor: string | null) {
  const state: PayoutCursor | null = cursor ? JSON.parse(cursor) : null;
  const all = await listAll(
    stripe.payouts.list({ arrival_date: seconds(period), limit: pageSize }),
  );
  const at = state ? all.findIndex(({ id }) => id === state.payout) : 0;
  const payout = all[at];
  if (!payout) return { differences: [], next: null };
  const following = all[at + 1];
  const next = following ? JSON.stringify({ payout: following.id, sum: 0 }) : null;
  if (payout.status === 'failed' || payout.status === 'canceled') {
    return { differences: [differing(payout, null)], next };
  }
  if (!payout.automatic) return { differences: [], next };
  const page = await stripe.balanceTransactions.list({
    payout: payout.id,
    limit: pageSize,
    ...(state?.after && { starting_after: state.after }),
  });
  const paid = page.data.filter(({ type }) => type !== 'payout');
  const sum = (state?.sum ?? 0) + paid.reduce((total, { net }) => total + net, 0);
  const after = page.data.at(-1)?.id;
  if (page.has_more && after) {
    return { differences: [], next: JSON.stringify({ payout: payout.id, after, sum }) };
  }
  return { differences: sum === payout.amount ? [] : [differing(payout, minor(sum))], next };
}

export function stripeSettlement(env: Env): SettlementReader {
  const stripe = stripeClient(env);
  return {
    async booked(period, cursor) {
      const page = await stripe.balanceTransactions.list({
        created: seconds(period),
        limit: pageSize,
        expand: ['data.source'],
        ...(cursor && { starting_after: cursor }),
      });
      const movements = page.data.flatMap((one) => movementIn(one) ?? []);
      return {
        movements,
        fees: feesIn(page.data),
        next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
      };
    },
    uncaptured: (rows) => uncaptured(stripe, rows),
    payouts: (period, cursor) => payouts(stripe, period, cursor),
  };
}
