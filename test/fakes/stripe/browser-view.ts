import type { Stripe } from 'stripe';

const SHOWN = [
  'id',
  'object',
  'amount',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'status',
];

/**
 * An intent as a publishable key sees it: "When retrieved with a publishable key, only a subset of
 * properties will be returned". https://docs.stripe.com/api/payment_intents/retrieve
 */
export function forBrowser(object: object): object {
  const { object: kind } = object as Stripe.PaymentIntent;
  if (kind !== 'payment_intent') return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => SHOWN.includes(name)));
}
