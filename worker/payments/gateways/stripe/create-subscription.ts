import type Stripe from 'stripe';
import { hasOwnCoupon, type Plan, planById } from '../../../catalog/plans.ts';
import { sendLimit } from '../../rules/attempt.ts';
import type { ChargeRequest } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';
import type { Made } from './outcome.ts';
import type { PriceMap } from './prices.ts';
import type { OfferMap } from './trial-offers.ts';

/** The Stripe account, and what it calls that which is sold. */
interface Account {
  stripe: StripeClient;
  product: string;
  prices: PriceMap;
  /** Intros that the account has as trial offers; every other one is a trial with an invoice item. */
  offers: OfferMap;
}

const months = { month: 1, quarter: 3 } as const;

/** The catalogue row that an order is for. */
export const rowOf = ({ attempt }: ChargeRequest): Plan => {
  const plan = planById(attempt.plan);
  if (!plan) throw new RangeError(`no plan ${attempt.plan}`);
  return plan;
};

/** The key of a step of an order, the same whenever the step is repeated. */
export const once = ({ attempt }: ChargeRequest, step: string) => ({
  idempotencyKey: `${attempt.id}:${step}`,
});

const idOf = (value: string | { id: string }) => (typeof value === 'string' ? value : value.id);

/**
 * The coupon of an order. A plan's own comes off every invoice, as a percentage; any other off the
 * first alone, as the amount that the buyer was shown.
 */
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

/**
 * A coupon for one order: nobody else can redeem it, nor anybody later. What it gives lasts all the
 * same (docs.stripe.com/billing/subscriptions/coupons).
 */
async function discounted(stripe: StripeClient, order: ChargeRequest, plan: Plan) {
  const coupon = couponOf(order, plan);
  if (!coupon) return {};
  const redeem_by = Math.ceil((order.attempt.openedAt + 2 * sendLimit) / 1000);
  const single = { ...coupon, max_redemptions: 1, redeem_by };
  const { id } = await stripe.coupons.create(single, once(order, 'coupon'));
  return { discounts: [{ coupon: id }] };
}

/** The intent that pays an invoice. @throws when the invoice does not say */
export function paymentOf({ payments }: Stripe.Invoice): string {
  const all = payments?.data ?? [];
  const { payment } = all.find(({ is_default }) => is_default) ?? all[0] ?? {};
  if (!payment?.payment_intent) throw new TypeError('invoice without payment');
  return idOf(payment.payment_intent);
}

/**
 * Makes what a plan starts with: a subscription whose first invoice is unpaid, or a payment alone for a
 * one-time plan. Its ids are stored before anything else is asked of it.
 */
export async function createSubscription(
  { stripe, product, prices, offers }: Account,
  order: ChargeRequest,
  method: string,
): Promise<Made> {
  const { attempt, account, customerId: customer } = order;
  const plan = rowOf(order);
  const currency = plan.currency.toLowerCase();
  const { id: attempt_id, experiment, arm } = attempt;
  const ours = <T extends Stripe.PaymentIntent | Stripe.Subscription>(told: T): T => {
    if (told.metadata.attempt_id !== attempt_id) throw new TypeError('made for another attempt');
    return told;
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
        // Stripe wants a return URL wherever a method may redirect
        // (docs.stripe.com/api/payment_intents/create: automatic_payment_methods.allow_redirects).
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      once(order, 'pay'),
    );
    return noted(order, { subscriptionId: null, invoiceId: null, paymentId: ours(intent).id });
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
      ...(plan.trialDays > 0 && !offer ? intro : await discounted(stripe, order, plan)),
      default_payment_method: method,
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata,
      expand: ['latest_invoice.payments'],
    },
    once(order, 'subscribe'),
  );
  const subscriptionId = ours(subscription).id;
  order.record({ subscriptionId });
  // The invoice that a subscription is made with; later the latest one is a renewal's.
  const first = subscription.latest_invoice;
  if (!first || typeof first === 'string') throw new TypeError('invoice not expanded');
  return noted(order, { subscriptionId, invoiceId: first.id, paymentId: paymentOf(first) });
}

/** Stores what was made for an order. */
export function noted(order: ChargeRequest, made: Made): Made {
  order.record(made);
  return made;
}
