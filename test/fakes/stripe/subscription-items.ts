import type { Stripe } from 'stripe';
import { type Call, find, idOf, invalid } from './call.ts';
import { addPrice, priceAndPlan } from './catalog.ts';
import { group, groups, metadata, type Params, text, whole } from './params.ts';

import { decimal, newId } from './state.ts';

/** The price that an item or invoice item refers to, or the one created from its price_data. */
export function priceOf(entry: Params, { state, now }: Call, at: string): Stripe.Price {
  if (typeof entry.price_data === 'object') {
    return addPrice(group(entry, 'price_data'), state, now, `${at}[price_data]`);
  }
  const named = text(entry, 'price');
  if (!named)
    throw invalid(`Missing required param: ${at}[price].`, 'parameter_missing', `${at}[price]`);
  return find(state.prices, 'price', named, `${at}[price]`);
}

/**
 * `items[]` as subscription items. With a trial offer the item bills the offer's price first; such a paid
 * introduction is not `trialing`, and `current_trial` tracks it.
 * https://docs.stripe.com/billing/subscriptions/trials
 */
export function buildItems(
  entries: Params[],
  subscription: string,
  trialEnd: number | null,
  call: Call,
): Stripe.SubscriptionItem[] {
  return entries.map((entry, i) => {
    const at = `items[${i}]`;
    const offered = text(group(entry, 'current_trial'), 'trial_offer');
    const offer = offered
      ? find(call.state.trial_offers, 'trial_offer', offered, `${at}[current_trial][trial_offer]`)
      : undefined;
    const price = offer
      ? find(call.state.prices, 'price', idOf(offer.price))
      : priceOf(entry, call, at);
    if (!price.recurring) {
      throw invalid(
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
        undefined,
        `${at}[price]`,
      );
    }
    const iterations = offer?.duration.relative?.iterations ?? 1;
    return {
      id: newId('si', 14),
      object: 'subscription_item',
      billing_thresholds: null,
      created: call.now,
      current_period_end: trialEnd ?? later(call.now, price.recurring),
      current_period_start: call.now,
      current_trial: offer
        ? {
            end_date: later(call.now, price.recurring, iterations),
            start_date: call.now,
            trial_offer: offer.id,
          }
        : null,
      discounts: [],
      metadata: metadata(entry),
      ...priceAndPlan(price),
      quantity: whole(entry, 'quantity', 1),
      subscription,
      tax_rates: [],
    };
  });
}

type Cycle = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;

/** Whether two prices renew in the same rhythm. */
export const hasSameCycle = (one: Stripe.Price, other: Stripe.Price): boolean =>
  one.recurring?.interval === other.recurring?.interval &&
  one.recurring?.interval_count === other.recurring?.interval_count;

/**
 * A time some intervals later, in Unix seconds: on the same day of the month, or on its last day if the month is
 * shorter. https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
export function later(from: number, { interval, interval_count }: Cycle, times = 1): number {
  const steps = interval_count * times;
  if (interval === 'day') return from + steps * 86_400;
  if (interval === 'week') return from + steps * 7 * 86_400;
  const date = new Date(from * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + steps * (interval === 'year' ? 12 : 1));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/** A line of an invoice: of an item of a subscription, or else of an invoice item. */
export function line(
  price: Stripe.Price,
  amount: number,
  period: { start: number; end: number },
  subscription: string,
  item?: Pick<Stripe.SubscriptionItem, 'id' | 'quantity'>,
  quantity = item?.quantity ?? 1,
): Stripe.InvoiceLineItem {
  const parent = { proration: amount < 0, proration_details: null, subscription };
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: null,
    discount_amounts: [],
    // "All invoice items that are prorations are set to discountable=false."
    discountable: amount >= 0,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: item
      ? {
          invoice_item_details: null,
          subscription_item_details: { ...parent, invoice_item: null, subscription_item: item.id },
          type: 'subscription_item_details',
        }
      : {
          invoice_item_details: { ...parent, invoice_item: newId('ii') },
          subscription_item_details: null,
          type: 'invoice_item_details',
        },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  };
}

/** A line for each item of a subscription in its current period. */
export const recurringLines = (
  { id, items }: Stripe.Subscription,
  free: boolean,
): Stripe.InvoiceLineItem[] =>
  items.data.map((item) =>
    line(
      item.price,
      free ? 0 : (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
      { start: item.current_period_start, end: item.current_period_end },
      id,
      item,
    ),
  );

/**
 * Lines of the first invoice. During a trial its items cost nothing, but "an immediate invoice is still created";
 * add_invoice_items are on it at their price.
 * https://docs.stripe.com/billing/subscriptions/trials/free-trials
 */
export function firstLines(
  subscription: Stripe.Subscription,
  call: Call,
): Stripe.InvoiceLineItem[] {
  const recurring = recurringLines(subscription, subscription.trial_end !== null);
  const extra = groups(call.params, 'add_invoice_items').map((entry, i) => {
    const price = priceOf(entry, call, `add_invoice_items[${i}]`);
    if (price.recurring) {
      throw invalid(
        'The price specified is set to `type=recurring` but this field only accepts prices with `type=one_time`.',
        undefined,
        `add_invoice_items[${i}][price]`,
      );
    }
    const quantity = whole(entry, 'quantity', 1);
    const amount = (price.unit_amount ?? 0) * quantity;
    const period = { start: call.now, end: call.now };
    return line(price, amount, period, subscription.id, undefined, quantity);
  });
  return [...extra, ...recurring];
}
