import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { group, page, text, texts } from './params.ts';
import { nulls, type StripeState } from './state.ts';

const daySeconds = 86_400;
/** docs.stripe.com/payouts#payout-speed: two business days in most countries; here two days. */
const payoutDelay = 2 * daySeconds;

const dayOf = (seconds: number) => Math.floor(seconds / daySeconds);

interface BalanceEntry {
  type: Stripe.BalanceTransaction.Type;
  category: Stripe.BalanceTransaction['reporting_category'];
  source: string;
  amount: number;
  fee: number;
  currency: string;
  created: number;
}

/** "2.9% + 30¢ per successful transaction"; it is not returned with a refund. https://stripe.com/pricing */
const feeOf = (amount: number) => Math.round(amount * 0.029) + 30;

/** https://docs.stripe.com/reports/balance-transaction-types */
function balanceEntries(state: StripeState): BalanceEntry[] {
  const charges = Object.values(state.charges).filter(({ captured, paid }) => captured && paid);
  const refunds = Object.values(state.refunds);
  const chargeEntries: BalanceEntry[] = charges.map((charge) => ({
    type: 'charge',
    category: 'charge',
    source: charge.id,
    amount: charge.amount_captured,
    fee: feeOf(charge.amount_captured),
    currency: charge.currency,
    created: charge.created,
  }));
  for (const refund of refunds) {
    const { id: source, amount, currency, created } = refund;
    chargeEntries.push({
      type: 'refund',
      category: 'refund',
      source,
      amount: -amount,
      fee: 0,
      currency,
      created,
    });
    // "A refund failed, and Stripe returned the funds to your balance."
    if (refund.status !== 'failed') continue;
    chargeEntries.push({
      type: 'refund_failure',
      category: 'refund_failure',
      source,
      amount,
      fee: 0,
      currency,
      created,
    });
  }
  for (const { id: source, amount, currency, created, status } of Object.values(state.disputes)) {
    // An inquiry withdraws no money; https://docs.stripe.com/disputes/how-disputes-work
    if (status.startsWith('warning')) continue;
    const row = { type: 'adjustment', fee: 0, source, currency, created } as const;
    chargeEntries.push({ ...row, category: 'dispute', amount: -amount });
    if (status === 'won') chargeEntries.push({ ...row, category: 'dispute_reversal', amount });
  }
  return chargeEntries;
}

/** Automatic daily payouts: one for each day and currency. https://docs.stripe.com/payouts */
const payoutId = ({ currency, created }: Pick<BalanceEntry, 'currency' | 'created'>) =>
  `po_${currency}${dayOf(created)}`;

function transactionsOf(state: StripeState): Record<string, Stripe.BalanceTransaction> {
  const rows = balanceEntries(state)
    .toSorted((a, b) => a.created - b.created)
    .map(
      ({ type, category, source, amount, fee, currency, created }): Stripe.BalanceTransaction => ({
        id: `txn_${category === 'charge' ? '' : category.replaceAll('_', '')}${source}`,
        object: 'balance_transaction',
        amount,
        available_on: created + payoutDelay,
        balance_type: 'payments',
        created,
        currency,
        description: null,
        exchange_rate: null,
        fee,
        fee_details: [],
        net: amount - fee,
        reporting_category: category,
        source,
        status: 'available',
        type,
      }),
    );
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

/** `created[gte]` and the like; https://docs.stripe.com/api/balance_transactions/list */
function isWithin(params: Call['params'], name: string, value: number): boolean {
  const bounds = group(params, name);
  const bound = (key: string) => {
    const given = text(bounds, key);
    return given === undefined ? undefined : Number(given);
  };
  return (
    value >= (bound('gte') ?? Number.NEGATIVE_INFINITY) &&
    value > (bound('gt') ?? Number.NEGATIVE_INFINITY) &&
    value < (bound('lt') ?? Number.POSITIVE_INFINITY) &&
    value <= (bound('lte') ?? Number.POSITIVE_INFINITY)
  );
}

export const isCreatedWithin = (params: Call['params'], created: number): boolean =>
  isWithin(params, 'created', created);

/** "The transactions are returned in sorted order, with the most recent transactions appearing first." */
export function listBalanceTransactions({ state, params, now }: Call) {
  const payout = text(params, 'payout');
  return page(
    transactionsOf(state),
    '/v1/balance_transactions',
    params,
    (one) =>
      isCreatedWithin(params, one.created) &&
      (payout === undefined || (payoutId(one) === payout && now >= one.available_on)),
  );
}

const nullsOfPayout = [
  'application_fee application_fee_amount balance_transaction description destination',
  'failure_balance_transaction failure_code failure_message original_payout payout_method reversed_by',
  'statement_descriptor trace_id',
] as const;

/** https://docs.stripe.com/api/payouts/list */
export function listPayouts({ state, params, now }: Call) {
  const sums = new Map<string, BalanceEntry>();
  for (const entry of balanceEntries(state)) {
    const id = payoutId(entry);
    const before = sums.get(id);
    sums.set(id, { ...entry, amount: entry.amount - entry.fee + (before?.amount ?? 0) });
  }
  const payouts = [...sums].map(([id, { amount, currency, created }]): Stripe.Payout => {
    const arrival = (dayOf(created) + 1) * daySeconds + payoutDelay;
    return {
      ...nulls(...nullsOfPayout),
      id,
      object: 'payout',
      amount,
      arrival_date: arrival,
      automatic: true,
      created: arrival,
      currency,
      livemode: false,
      metadata: {},
      method: 'standard',
      reconciliation_status: 'completed',
      source_type: 'card',
      status: 'paid',
      type: 'bank_account',
      ...state.payouts[id],
    };
  });
  const due = payouts.filter(({ amount, created }) => amount !== 0 && created <= now);
  return page(
    Object.fromEntries(due.map((one) => [one.id, one])),
    '/v1/payouts',
    params,
    ({ arrival_date }) => isWithin(params, 'arrival_date', arrival_date),
  );
}

/**
 * "If false, events which are still pending or have failed all delivery attempts to a webhook endpoint
 * will be returned." https://docs.stripe.com/api/events/list
 */
export function listEvents({ state, params }: Call) {
  const types = texts(params, 'types');
  const wanted = text(params, 'delivery_success');
  return page(
    state.events,
    '/v1/events',
    params,
    ({ type, created, pending_webhooks }) =>
      isCreatedWithin(params, created) &&
      (types.length === 0 || types.includes(type)) &&
      (wanted === undefined || (wanted === 'true') === (pending_webhooks === 0)),
  );
}

/** The source object of a balance transaction. */
export const sourceOf = (id: string, state: StripeState): object | undefined =>
  state.charges[id] ?? state.refunds[id] ?? state.disputes[id];
