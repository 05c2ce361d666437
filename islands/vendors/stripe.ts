import type { Stripe, StripeCardNumberElement, StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Confirmed } from '../stores/purchase.ts';
import { loadScript } from './script.ts';

/**
 * Stripe's browser side.
 *
 * @param key publishable key
 * @param vendors prefix of the vendors' scripts where stand-ins are served, else empty
 * @throws when the script does not load
 */
export async function stripeOf(key: string, vendors: string, locale: string): Promise<Stripe> {
  if (vendors) await loadScript(`${vendors}/js.stripe.com/v3/stripe.js`);
  const stripe = await loadStripe(key, { locale: locale as StripeElementLocale });
  if (!stripe) throw new Error('Stripe.js not available');
  return stripe;
}

/** Makes a payment method of a card. @throws with the provider's sentence */
export async function paymentMethodOf(
  stripe: Stripe,
  card: StripeCardNumberElement,
  name: string,
): Promise<string> {
  const { paymentMethod, error } = await stripe.createPaymentMethod({
    type: 'card',
    card,
    billing_details: name ? { name } : undefined,
  });
  if (error) throw error;
  return paymentMethod.id;
}

/** Confirms a card payment, with the bank's challenge when it asks for one. */
export async function confirmCard(stripe: Stripe, secret: string): Promise<Confirmed> {
  const { error } = await stripe.confirmCardPayment(secret);
  return { error };
}
