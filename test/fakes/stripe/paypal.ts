import type { Stripe } from 'stripe';
import { addPaymentMethod } from './banks.ts';
import { invalid } from './call.ts';
import { type Params, text } from './params.ts';
import type { StripeState } from './state.ts';

/** docs.stripe.com/payments/paypal/accept-a-payment: the presentment currencies. */
const currencies = 'eur gbp usd chf czk dkk nok pln sek aud cad hkd nzd sgd'.split(' ');

export const isPayPal = ({ type }: Stripe.PaymentMethod) => type === 'paypal';

/** POST /payment_methods of PayPal, whose payer is unknown until they approved; undefined for any other type. */
export function createPayPal(params: Params, state: StripeState, now: number) {
  if (text(params, 'type') !== 'paypal') return undefined;
  const payer = { country: null, payer_email: null, payer_id: null };
  const method = addPaymentMethod('paypal', payer, params, state, now);
  state.cards[method.id] = 'pm_card_visa';
  return method;
}

/**
 * PayPal's requirements: a return URL, and the mandate for later payments
 * (docs.stripe.com/api/payment_intents/confirm, docs.stripe.com/payments/paypal/set-up-future-payments).
 */
export function checkPayPal(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  options: { mandate?: boolean; returnUrl?: string | undefined; offSession: boolean },
  { set_up }: StripeState,
): void {
  if (!currencies.includes(intent.currency)) {
    throw invalid(
      `The currency ${intent.currency} is not supported by paypal.`,
      undefined,
      'currency',
    );
  }
  if (options.offSession) return;
  if (!options.returnUrl)
    throw invalid('You must provide a return_url.', 'parameter_missing', 'return_url');
  if (intent.setup_future_usage && !options.mandate && !set_up[method.id])
    throw invalid('This PaymentIntent requires a mandate.', 'parameter_missing', 'mandate_data');
}

/** The payer's data, which PayPal returns with the payment (docs.stripe.com/api/payment_methods/object). */
export function approvePayPal(method: Stripe.PaymentMethod): void {
  method.paypal = {
    country: 'DE',
    payer_email: 'buyer@example.com',
    payer_id: `FAKE${method.id.slice(-9).toUpperCase()}`,
  };
}

/** docs.stripe.com/payments/paypal/accept-a-payment: the payer is redirected to PayPal's page. */
export const payPalRedirect = (
  intent: Stripe.PaymentIntent,
  return_url: string,
): Stripe.PaymentIntent.NextAction => ({
  type: 'redirect_to_url',
  redirect_to_url: { return_url, url: `https://pm-redirects.stripe.com/authorize/${intent.id}` },
});
