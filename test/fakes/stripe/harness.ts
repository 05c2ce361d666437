import { Stripe } from 'stripe';
import type { Plan } from '../../../worker/catalog/rules/plans.ts';
import { stripeRecurrence } from '../../../worker/payments/gateways/stripe/recurring.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { createStripe, type StripeOptions } from './server.ts';

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A Stripe, our variables for it, and its official client. */
export interface Target {
  env: Env;
  stripe: Stripe;
  /** The destination of our own calls. */
  fetch: Fetch;
}

const { LIVE, STRIPE_LIVE_SECRET_KEY: key = '' } = process.env;

/** Why the real Stripe is not called; null when it is: `npm run test:full -- --live` with a test key. */
export const skipReason: string | null = !LIVE
  ? 'not run with --live'
  : !key
    ? 'STRIPE_LIVE_SECRET_KEY is not set'
    : /^[rs]k_test_/.test(key)
      ? null
      : 'STRIPE_LIVE_SECRET_KEY is no test key';
async function target(secret: string, fetch: Fetch): Promise<Target> {
  const httpClient = Stripe.createFetchHttpClient(fetch);
  const stripe = new Stripe(secret, { httpClient, telemetry: false });
  const { id } = await stripe.products.create({ name: 'Contract' });
  return { env: { STRIPE_SECRET_KEY: secret, STRIPE_PRODUCT: id } as Env, stripe, fetch };
}

export const fakeTarget = () => target('sk_test_contract', createStripe().fetch);

/** Stripe's own test mode. */
export const liveTarget = () => target(key, globalThis.fetch);

interface Options extends StripeOptions {
  /** Wraps the connection of the client called `faulty`. */
  fetch?: (fetch: Fetch) => Fetch;
  /** Initial time, ms since 1970. */
  start?: number;
}

const client = (fetch: Fetch) =>
  new Stripe('sk_test_contract', {
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: 0,
    telemetry: false,
  });

/** A fake and official clients on it, with a product, a monthly price and a customer with a card. */
export async function harness({
  fetch = (same) => same,
  start = Date.UTC(2026, 0, 15),
  ...options
}: Options = {}) {
  let time = start;
  let during: StripeOptions['during'] = () => undefined;
  const fake = createStripe({
    now: () => time,
    during: (call) => during?.(call),
    ...options,
  });
  const stripe = client(fake.fetch);
  const { id: product } = await stripe.products.create({ name: 'Locator' });
  const { id: price } = await stripe.prices.create({
    currency: 'usd',
    product,
    recurring: { interval: 'month' },
    unit_amount: 3000,
  });
  const { id: customer } = await stripe.customers.create({ email: 'visitor@example.com' });
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  return {
    fake,
    stripe,
    faulty: client(fetch(fake.fetch)),
    product,
    price,
    customer,
    method,
    clock: {
      now: () => time,
      advance: (ms: number) => {
        time += ms;
      },
      /** Sets the time, and executes what is due until then. */
      until: (ms: number) => {
        time = ms;
        fake.passTime();
      },
    },
    during: (hook: NonNullable<StripeOptions['during']>) => {
      during = hook;
    },
  };
}

export type Harness = Awaited<ReturnType<typeof harness>>;

/** The Stripe error with which a call fails. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('expected the call to be refused');
}

/** Returns these numbers in order, then always the last one. */
export const numbers = (...list: number[]) => {
  let i = 0;
  return () => list[Math.min(i++, list.length - 1)] ?? 0;
};

/** A subscription whose first invoice is unpaid. */
export async function subscribe(
  { stripe, price }: Harness,
  customer: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
  options: Stripe.RequestOptions = {},
) {
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      items: [{ price }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
      ...more,
    },
    options,
  );
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  const intent = String(invoice.payments?.data[0]?.payment.payment_intent);
  return { subscription, invoice, intent };
}

/** Buys a plan of the catalog with the same calls as worker/payments/gateways/stripe/gateway.ts. */
export async function buyPlan(
  { stripe, customer, product }: Harness,
  plan: Plan,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
) {
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const currency = plan.currency.toLowerCase();
  if (plan.period === 'once') {
    const intent = await stripe.paymentIntents.create({
      amount: plan.today,
      currency,
      customer,
      payment_method: method.id,
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    return { subscription: null, intent: intent.id, method: method.id };
  }
  const recurring = stripeRecurrence(plan.period);
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price_data: { currency, product, unit_amount: plan.price, recurring } }],
    ...(plan.introDays > 0 && {
      trial_period_days: plan.introDays,
      add_invoice_items: [{ price_data: { currency, product, unit_amount: plan.today } }],
    }),
    default_payment_method: method.id,
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.payments'],
    ...more,
  });
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  const intent = String(invoice.payments?.data[0]?.payment.payment_intent);
  await stripe.paymentIntents.confirm(intent);
  return { subscription: subscription.id, intent, method: method.id };
}
