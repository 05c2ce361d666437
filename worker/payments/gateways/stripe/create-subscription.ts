import type Stripe from 'stripe';
import {
  hasOwnCoupon,
  isFreeTrial,
  type Plan,
  type RenewingPeriod,
} from '../../../catalog/rules/plans.ts';
import { type PaymentId, paymentIdOf } from '../../../platform/types.ts';
import type { ChargeRequest } from '../../purchase/gateway.ts';
import { sendLimitMs } from '../../purchase/gateway-try.ts';
import { idOf, type StripeClient } from './client.ts';
import type { StripeConfig } from './config.ts';
import { isPaidElsewhere, typesOf } from './method-types.ts';
import { type Created, isRefused } from './outcome.ts';
import { stripeRecurrence } from './recurring.ts';
import { listAll, pageSize } from './statement.ts';
import { calculateTax, inclusive, taxInMetadata, taxOfInvoice, withTaxOr } from './tax.ts';

export const stepKey = ({ attempt }: ChargeRequest, step: string) => ({
  idempotencyKey: `${attempt.id}:${step}`,
});

/**
 * A plan's own coupon lowers every invoice; any other the first, by the amount that the buyer saw. For renewals it is
 * `forever` until `endReduction`: a duration is in months, which a week, an intro or a pause does not keep
 * (docs.stripe.com/api/coupons/create#create_coupon-duration_in_months).
 */
function couponOf({ attempt }: ChargeRequest, plan: Plan): Stripe.CouponCreateParams | null {
  const { reduction } = attempt;
  const amount_off = reduction?.off ?? plan.today - attempt.amount;
  if (amount_off === 0) return null;
  if (plan.coupon && hasOwnCoupon(plan, attempt.coupon)) {
    const { code, percent } = plan.coupon;
    return { percent_off: percent, duration: 'forever', name: code };
  }
  const currency = plan.currency.toLowerCase();
  return {
    amount_off,
    currency,
    duration: reduction ? 'forever' : 'once',
    ...(attempt.coupon && { name: attempt.coupon }),
  };
}

/** The coupon's expiry does not end the discount (docs.stripe.com/billing/subscriptions/coupons). */
async function createDiscount(stripe: StripeClient, request: ChargeRequest, plan: Plan) {
  const coupon = couponOf(request, plan);
  if (!coupon) return {};
  const redeem_by = Math.ceil((request.attempt.openedAt + 2 * sendLimitMs) / 1000);
  const single = { ...coupon, max_redemptions: 1, redeem_by };
  const { id } = await stripe.coupons.create(single, stepKey(request, 'coupon'));
  return { discounts: [{ coupon: id }] };
}

function paymentOf({ payments }: Stripe.Invoice): PaymentId {
  const list = payments?.data ?? [];
  const { payment } = list.find(({ is_default }) => is_default) ?? list[0] ?? {};
  if (!payment?.payment_intent) throw new TypeError('invoice without payment');
  return paymentIdOf(idOf(payment.payment_intent));
}

const metadataOf = ({ attempt, account }: ChargeRequest) => ({
  attempt_id: attempt.id,
  account,
  plan: attempt.plan.id,
  arm: attempt.arm,
  ...(attempt.experiment && { experiment: attempt.experiment }),
});

function requireOwn<T extends Stripe.PaymentIntent | Stripe.Subscription>(
  object: T,
  { attempt }: ChargeRequest,
): T {
  if (object.metadata.attempt_id !== attempt.id) throw new TypeError('made for another attempt');
  return object;
}

async function createPayment(
  { stripe, taxed }: StripeConfig,
  request: ChargeRequest,
  plan: Plan,
  method: string,
): Promise<Created> {
  const { attempt, customerId: customer } = request;
  const currency = plan.currency.toLowerCase();
  const pay = async (
    { tax, ...hooks }: { hooks?: Stripe.PaymentIntentCreateParams.Hooks; tax?: string },
    step: string,
  ) => {
    const intent = await stripe.paymentIntents.create(
      {
        amount: attempt.amount,
        currency,
        customer,
        payment_method: method,
        description: plan.productId,
        metadata: { ...metadataOf(request), ...(tax && { tax }) },
        // A method that may redirect would need a return URL.
        ...(attempt.wallet
          ? { allowed_payment_method_types: [attempt.wallet] }
          : {
              automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
              // Otherwise anybody with the challenge's secret could try cards on it from a browser.
              confirmation_method: 'manual',
            }),
        ...hooks,
      },
      stepKey(request, step),
    );
    return recorded(request, singlePayment(requireOwn(intent, request)));
  };
  if (!taxed) return pay({}, 'pay');
  return withTaxOr(
    request,
    async () => pay(await calculateTax(stripe, request, currency), 'pay'),
    () => pay({}, 'pay-untaxed'),
  );
}

async function subscriptionFields(
  { stripe, product, prices, offers, taxed }: StripeConfig,
  request: ChargeRequest,
  plan: Plan & { period: RenewingPeriod },
  method: string,
): Promise<Stripe.SubscriptionCreateParams> {
  const { attempt, customerId: customer } = request;
  const types = typesOf(attempt);
  const configured = prices[plan.id];
  const price = { currency: plan.currency.toLowerCase(), product, ...(taxed && inclusive) };
  const recurring = stripeRecurrence(plan.period);
  const isFree = isFreeTrial(plan);
  // The coupon for renewals lowers the first invoice, too.
  const off = attempt.reduction?.off ?? 0;
  const intro = {
    trial_period_days: plan.introDays,
    ...(isFree
      ? { trial_settings: { end_behavior: { missing_payment_method: 'cancel' } } as const }
      : { add_invoice_items: [{ price_data: { ...price, unit_amount: attempt.amount + off } }] }),
  };
  const offer = plan.introDays > 0 && !isFree && !off ? offers[plan.id] : undefined;
  const renewing = configured
    ? { price: configured }
    : { price_data: { ...price, unit_amount: plan.price, recurring } };
  return {
    customer,
    description: plan.productId,
    items: [{ ...renewing, ...(offer && { current_trial: { trial_offer: offer } }) }],
    ...(plan.introDays !== 0 && !offer && intro),
    ...((plan.introDays === 0 || offer || off) && (await createDiscount(stripe, request, plan))),
    ...(!isPaidElsewhere(attempt) && { default_payment_method: method }),
    payment_behavior: 'default_incomplete',
    payment_settings: {
      save_default_payment_method: 'on_subscription',
      ...(types && { payment_method_types: types }),
    },
    metadata: metadataOf(request),
    expand: ['latest_invoice.payments'],
  };
}

export async function startSubscription(
  config: StripeConfig,
  request: ChargeRequest,
  plan: Plan & { period: RenewingPeriod },
  method: string,
): Promise<Stripe.Subscription> {
  const { stripe, taxed } = config;
  const fields = await subscriptionFields(config, request, plan, method);
  const subscribe = (tax: Stripe.SubscriptionCreateParams, step: string) =>
    stripe.subscriptions.create({ ...fields, ...tax }, stepKey(request, step));
  const subscription = taxed
    ? await withTaxOr(
        request,
        () => subscribe({ automatic_tax: { enabled: true } }, 'subscribe'),
        () => subscribe({}, 'subscribe-untaxed'),
      )
    : await subscribe({}, 'subscribe');
  request.record({ subscriptionId: requireOwn(subscription, request).id });
  return subscription;
}

/** Unpaid; a plan that is paid once becomes a single payment. */
export async function createSubscription(
  config: StripeConfig,
  request: ChargeRequest,
  method: string,
): Promise<Created> {
  const { plan } = request.attempt;
  const { period } = plan;
  if (period === 'once') return createPayment(config, request, plan, method);
  const started = await startSubscription(config, request, { ...plan, period }, method);
  const { id: subscriptionId, ...subscription } = started;
  // Now the latest invoice is the first one; later it is a renewal's.
  const first = subscription.latest_invoice;
  if (!first || typeof first === 'string') throw new TypeError('invoice not expanded');
  return recorded(request, {
    subscriptionId,
    invoiceId: first.id,
    paymentId: paymentOf(first),
    tax: taxOfInvoice(first),
  });
}

const singlePayment = ({ id, metadata }: Stripe.PaymentIntent): Created => ({
  subscriptionId: null,
  invoiceId: null,
  paymentId: paymentIdOf(id),
  tax: taxInMetadata(metadata),
});

function recorded(request: ChargeRequest, made: Created): Created {
  const { tax: _, ...ids } = made;
  request.record(ids);
  return made;
}

const belongsTo =
  ({ attempt }: ChargeRequest) =>
  ({ metadata }: { metadata: Stripe.Metadata }) =>
    metadata.attempt_id === attempt.id;

async function byId<T>(id: string | null, read: (id: string) => Promise<T>) {
  if (!id) return undefined;
  return read(id).catch((error) => {
    if (isRefused(error)) return undefined;
    throw error;
  });
}

export async function subscriptionRequest(stripe: StripeClient, request: ChargeRequest) {
  const { attempt, customerId: customer } = request;
  const known = await byId(attempt.subscriptionId, (id) => stripe.subscriptions.retrieve(id));
  if (known) return known;
  const list = stripe.subscriptions.list({ customer, status: 'all', limit: pageSize });
  return (await listAll(list)).find(belongsTo(request));
}

async function firstInvoice(stripe: StripeClient, request: ChargeRequest, subscription: string) {
  const expand = ['payments'];
  const { invoiceId } = request.attempt;
  const known = await byId(invoiceId, (id) => stripe.invoices.retrieve(id, { expand }));
  if (known) return known;
  const list = stripe.invoices.list({ subscription, limit: pageSize, expand: ['data.payments'] });
  const first = (await listAll(list)).find(
    ({ billing_reason }) => billing_reason === 'subscription_create',
  );
  if (!first) throw new TypeError('no first invoice');
  return first;
}

async function oneTimePayment(stripe: StripeClient, request: ChargeRequest) {
  const { attempt, customerId: customer } = request;
  const known = await byId(attempt.paymentId, (id) => stripe.paymentIntents.retrieve(id));
  if (known) return known;
  return (await listAll(stripe.paymentIntents.list({ customer, limit: pageSize }))).find(
    belongsTo(request),
  );
}

/** By recorded ids, else by metadata. @throws when an object with a recorded id is gone */
export async function find(stripe: StripeClient, request: ChargeRequest): Promise<Created | null> {
  const { attempt } = request;
  if (request.attempt.plan.period === 'once') {
    const intent = await oneTimePayment(stripe, request);
    if (!intent && attempt.paymentId) throw new TypeError('the payment is gone');
    return intent ? recorded(request, singlePayment(intent)) : null;
  }
  const subscription = await subscriptionRequest(stripe, request);
  if (!subscription && attempt.subscriptionId) throw new TypeError('the subscription is gone');
  if (!subscription) return null;
  const invoice = await firstInvoice(stripe, request, subscription.id);
  return recorded(request, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    paymentId: attempt.paymentId ?? paymentOf(invoice),
    tax: taxOfInvoice(invoice),
  });
}
