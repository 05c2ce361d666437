import type Stripe from 'stripe';
import { hasOwnCoupon, type Plan, planById } from '../../../catalog/plans.ts';
import { sendLimitMs } from '../../rules/attempt.ts';
import type { ChargeRequest } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';
import type { Made } from './outcome.ts';
import type { PriceMap } from './prices.ts';
import type { OfferMap } from './trial-offers.ts';

interface Account {
  stripe: StripeClient;
  product: string;
  prices: PriceMap;
  /** Intros that are trial offers of the account. Any other intro is a trial with an invoice item. */
  offers: OfferMap;
}

const months = { month: 1, quarter: 3 } as const;

export const planFor = ({ attempt }: ChargeRequest): Plan => {
  const plan = planById(attempt.plan);
  if (!plan) throw new RangeError(`no plan ${attempt.plan}`);
  return plan;
};

export const stepKey = ({ attempt }: ChargeRequest, step: string) => ({
  idempotencyKey: `${attempt.id}:${step}`,
});

const idOf = (value: string | { id: string }) => (typeof value === 'string' ? value : value.id);

/** A plan's own coupon lowers every invoice; any other only the first, by the amount that the buyer saw. */
function couponOf({ attempt }: ChargeRequest, plan: Plan): Stripe.CouponCreateParams | null {
  const amount_off = plan.today - attempt.amount;
  if (amount_off === 0) return null;
  if (plan.coupon && hasOwnCoupon(plan, attempt.coupon)) {
    const { code, percent } = plan.coupon;
    return { percent_off: percent, duration: 'forever', name: code };
  }
  const currency = plan.currency.toLowerCase();
  return {
    amount_off,
    currency,
    duration: 'once',
    ...(attempt.coupon && { name: attempt.coupon }),
  };
}

/** The coupon's expiry does not end the discount (docs.stripe.com/billing/subscriptions/coupons). */
async function createDiscount(stripe: StripeClient, order: ChargeRequest, plan: Plan) {
  const coupon = couponOf(order, plan);
  if (!coupon) return {};
  const redeem_by = Math.ceil((order.attempt.openedAt + 2 * sendLimitMs) / 1000);
  const single = { ...coupon, max_redemptions: 1, redeem_by };
  const { id } = await stripe.coupons.create(single, stepKey(order, 'coupon'));
  return { discounts: [{ coupon: id }] };
}

export function paymentOf({ payments }: Stripe.Invoice): string {
  const list = payments?.data ?? [];
  const { payment } = list.find(({ is_default }) => is_default) ?? list[0] ?? {};
  if (!payment?.payment_intent) throw new TypeError('invoice without payment');
  return idOf(payment.payment_intent);
}

export async function createSubscription(
  { stripe, product, prices, offers }: Account,
  order: ChargeRequest,
  method: string,
): Promise<Made> {
  const { attempt, account, customerId: customer } = order;
  const plan = planFor(order);
  const currency = plan.currency.toLowerCase();
  const { id: attempt_id, experiment, arm } = attempt;
  const ours = <T extends Stripe.PaymentIntent | Stripe.Subscription>(object: T): T => {
    if (object.metadata.attempt_id !== attempt_id) throw new TypeError('made for another attempt');
    return object;
  };
  const metadata = {
    attempt_id,
    account,
    plan: plan.id,
    arm,
    ...(experiment && { experiment }),
  };
  if (plan.period === 'once') {
    const intent = await stripe.paymentIntents.create(
      {
        amount: attempt.amount,
        currency,
        customer,
        payment_method: method,
        description: plan.productId,
        metadata,
        // A method that may redirect would need a return URL.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      stepKey(order, 'pay'),
    );
    return recorded(order, { subscriptionId: null, invoiceId: null, paymentId: ours(intent).id });
  }
  const configured = prices[plan.id];
  const price = { currency, product };
  const recurring = { interval: 'month', interval_count: months[plan.period] } as const;
  const intro = {
    trial_period_days: plan.trialDays,
    add_invoice_items: [{ price_data: { ...price, unit_amount: attempt.amount } }],
  };
  const offer = offers[plan.id];
  const renewing = configured
    ? { price: configured }
    : { price_data: { ...price, unit_amount: plan.price, recurring } };
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      description: plan.productId,
      items: [{ ...renewing, ...(offer && { current_trial: { trial_offer: offer } }) }],
      ...(plan.trialDays > 0 && !offer ? intro : await createDiscount(stripe, order, plan)),
      default_payment_method: method,
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata,
      expand: ['latest_invoice.payments'],
    },
    stepKey(order, 'subscribe'),
  );
  const subscriptionId = ours(subscription).id;
  order.record({ subscriptionId });
  // Here the latest invoice is the first one; later it is a renewal's.
  const first = subscription.latest_invoice;
  if (!first || typeof first === 'string') throw new TypeError('invoice not expanded');
  return recorded(order, { subscriptionId, invoiceId: first.id, paymentId: paymentOf(first) });
}

export function recorded(order: ChargeRequest, made: Made): Made {
  order.record(made);
  return made;
}
