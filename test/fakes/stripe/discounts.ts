import type { Stripe } from 'stripe';
import { type Call, type Context, find, idOf, invalid, notImplemented } from './call.ts';
import { groups, metadata, text, textOrNull, whole } from './params.ts';
import { newId, nulls, type StripeState } from './state.ts';

const numberOrNull = (call: Call, name: string) =>
  text(call.params, name) === undefined ? null : Number(text(call.params, name));
function check(call: Call, amount: number | null, percent: number | null): void {
  const { params } = call;
  if ((amount === null) === (percent === null)) {
    throw invalid('You must set either amount_off or percent_off, and not both.');
  }
  if (amount !== null && amount < 1) {
    throw invalid('Invalid positive integer', 'parameter_invalid_integer', 'amount_off');
  }
  if (amount !== null && !text(params, 'currency')) {
    throw invalid(
      'You must pass currency when passing amount_off',
      'parameter_missing',
      'currency',
    );
  }
  if (percent !== null && !(percent > 0 && percent <= 100)) {
    throw invalid('percent_off must be greater than 0 and at most 100.', undefined, 'percent_off');
  }
  const duration = text(params, 'duration') ?? 'once';
  if (duration !== 'once' && duration !== 'forever') {
    throw notImplemented(`coupons of duration ${duration}`);
  }
}

/** POST /coupons, of duration `once` or `forever`. https://docs.stripe.com/api/coupons/create */
export function createCoupon(call: Call): Stripe.Coupon {
  const { params, state, now } = call;
  const id = text(params, 'id') ?? newId('', 8).slice(1);
  if (state.coupons[id]) throw invalid('Coupon already exists.', 'resource_already_exists', 'id');
  const amount = numberOrNull(call, 'amount_off');
  const percent = numberOrNull(call, 'percent_off');
  check(call, amount, percent);
  const redeemBy = whole(params, 'redeem_by', 0);
  const coupon: Stripe.Coupon = {
    id,
    object: 'coupon',
    amount_off: amount,
    created: now,
    currency: amount === null ? null : (text(params, 'currency') ?? '').toLowerCase(),
    duration: text(params, 'duration') === 'forever' ? 'forever' : 'once',
    duration_in_months: null,
    livemode: false,
    max_redemptions: numberOrNull(call, 'max_redemptions'),
    metadata: metadata(params),
    name: textOrNull(params, 'name'),
    percent_off: percent,
    // The caller computed it by its own clock, which `Let a month pass` does not advance.
    redeem_by: redeemBy ? redeemBy + call.ahead : null,
    times_redeemed: 0,
    valid: true,
  };
  state.coupons[id] = coupon;
  call.emit('coupon.created', coupon);
  return coupon;
}

type Line = Stripe.InvoiceLineItem;
function redeem(coupon: Stripe.Coupon, now: number): void {
  const late = coupon.redeem_by !== null && now > coupon.redeem_by;
  const spent = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
  if (late || spent) {
    coupon.valid = false;
    throw invalid(`Coupon ${coupon.id} is expired and cannot be applied.`, 'coupon_expired');
  }
  coupon.times_redeemed += 1;
  coupon.valid = coupon.times_redeemed !== coupon.max_redemptions;
}

/** `discounts[]` of a new subscription, redeemed. https://docs.stripe.com/billing/subscriptions/coupons */
export function redeemed(subscription: Stripe.Subscription, call: Call): Stripe.Discount[] {
  const { params, state, now } = call;
  return groups(params, 'discounts').map((entry, i) => {
    const named = text(entry, 'coupon');
    if (!named) throw invalid('This fake takes discounts by coupon only.', undefined, 'discounts');
    const coupon = find(state.coupons, 'coupon', named, `discounts[${i}][coupon]`);
    if (coupon.currency && coupon.currency !== subscription.currency) {
      throw invalid(
        `The coupon's currency (${coupon.currency}) must match the subscription's (${subscription.currency}).`,
        undefined,
        `discounts[${i}][coupon]`,
      );
    }
    redeem(coupon, now);
    const discount: Stripe.Discount = {
      id: newId('di'),
      object: 'discount',
      customer: subscription.customer,
      end: null,
      source: { coupon: coupon.id, type: 'coupon' },
      start: now,
      subscription: subscription.id,
      ...nulls('checkout_session customer_account invoice invoice_item promotion_code'),
      subscription_item: null,
    };
    state.discounts[discount.id] = discount;
    return discount;
  });
}

/** An update's `discounts` replace the subscription's; "" removes them. https://docs.stripe.com/api/subscriptions/update */
export function removeDiscounts(
  subscription: Stripe.Subscription,
  { params, state, now, emit }: Call,
) {
  if (params.discounts !== '') throw notImplemented('an update of discounts');
  for (const discount of runningDiscounts(subscription, state)) {
    discount.end = now;
    emit('customer.discount.deleted', discount);
  }
  subscription.discounts = [];
}

/** A coupon's discount on each amount; the last one gets the rounding difference. */
function shares(coupon: Stripe.Coupon, sums: number[]): number[] {
  const total = sums.reduce((sum, one) => sum + one, 0);
  const off = coupon.amount_off ?? Math.round((total * (coupon.percent_off ?? 0)) / 100);
  let left = Math.min(off, total);
  return sums.map((sum, i) => {
    const last = sums.slice(i + 1).every((later) => later === 0);
    const share = last ? Math.min(left, sum) : Math.floor((off * sum) / (total || 1));
    left -= share;
    return share;
  });
}

/** Writes the discounts onto the lines they apply to. */
export function discounted(lines: Line[], discounts: Stripe.Discount[], state: StripeState): void {
  for (const { id, source } of discounts) {
    const coupon = state.coupons[idOf(source.coupon)];
    if (!coupon) continue;
    const off = shares(coupon, lines.map(dueOf));
    lines.forEach((line, i) => {
      const amount = off[i] ?? 0;
      if (amount > 0) {
        line.discount_amounts = [...(line.discount_amounts ?? []), { amount, discount: id }];
      }
    });
  }
}

/** A line's amount after discounts. */
export const dueOf = ({ amount, discount_amounts }: Line): number =>
  (discount_amounts ?? []).reduce((left, off) => left - off.amount, amount);

/** The amount of each discount on a whole invoice. */
export function discountOf(lines: Line[]): Stripe.Invoice.TotalDiscountAmount[] {
  const sums = new Map<string, number>();
  for (const { amount, discount } of lines.flatMap((line) => line.discount_amounts ?? [])) {
    sums.set(idOf(discount), (sums.get(idOf(discount)) ?? 0) + amount);
  }
  return [...sums].map(([discount, amount]) => ({ amount, discount }));
}

/** The discounts of a subscription, as objects. */
export const runningDiscounts = (
  { discounts }: Stripe.Subscription,
  state: StripeState,
): Stripe.Discount[] => discounts.map(idOf).flatMap((id) => state.discounts[id] ?? []);

/**
 * "once: applies to the first charge": after that it is removed from the subscription. "forever: applies to all
 * charges" stays (docs.stripe.com/api/coupons/object), whatever happens to its coupon after it was redeemed.
 */
export function expireDiscounts(
  subscription: Stripe.Subscription,
  { state, now, emit }: Context,
): void {
  subscription.discounts = runningDiscounts(subscription, state)
    .filter((discount) => {
      if (state.coupons[idOf(discount.source.coupon)]?.duration === 'forever') return true;
      discount.end = now;
      emit('customer.discount.deleted', discount);
      return false;
    })
    .map(({ id }) => id);
}
