import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { invalid, Refused } from './errors.ts';
import { group, metadata, text, textOrNull, texts, whole } from './params.ts';
import { newId } from './state.ts';

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
    throw new Refused(501, {
      type: 'api_error',
      message: `test/fakes/stripe does not implement coupons of duration ${duration}`,
    });
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
  const products = texts(group(params, 'applies_to'), 'products');
  const coupon: Stripe.Coupon = {
    id,
    object: 'coupon',
    amount_off: amount,
    ...(products.length > 0 ? { applies_to: { products } } : {}),
    created: now,
    currency: amount === null ? null : (text(params, 'currency') ?? '').toLowerCase(),
    duration: text(params, 'duration') === 'forever' ? 'forever' : 'once',
    duration_in_months: null,
    livemode: false,
    max_redemptions: numberOrNull(call, 'max_redemptions'),
    metadata: metadata(params),
    name: textOrNull(params, 'name'),
    percent_off: percent,
    redeem_by: whole(params, 'redeem_by', 0) || null,
    times_redeemed: 0,
    valid: true,
  };
  state.coupons[id] = coupon;
  call.emit('coupon.created', coupon);
  return coupon;
}
