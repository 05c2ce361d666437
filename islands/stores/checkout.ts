import { map } from 'nanostores';
import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import { persist } from '../runtime/storage/persist.ts';
import { track } from '../runtime/tracking/track.ts';

interface Checkout {
  cardholderName: string;
  isSuccess: true | null;
  /** Subscription id. */
  id: string;
  stripeNonce: string;
  braintreeNonce: string;
  paymentError: { show: boolean; message: string };
  isCardFormShown: boolean;
  showSuccessPopup: boolean;
}

export const $checkout = map<Checkout>({
  cardholderName: '',
  isSuccess: null,
  id: '',
  stripeNonce: '',
  braintreeNonce: '',
  paymentError: { show: false, message: '' },
  isCardFormShown: false,
  showSuccessPopup: false,
});
persist('checkout', $checkout);

/** Which field holds a provider's one-time name of a payment method; storage takes neither. */
const nonceFields = { stripe: 'stripeNonce', braintree: 'braintreeNonce' } as const;

/** Notes what is about to be paid with; the purchase before it is no longer of interest. */
export function beginPurchase(gateway: GatewayName, nonce: string): void {
  $checkout.set({
    ...$checkout.get(),
    [nonceFields[gateway]]: nonce,
    paymentError: { show: false, message: '' },
  });
}

/** The one-time name to pay with. It works once, so it is gone after this. */
export function takeNonce(gateway: GatewayName): string {
  const nonce = $checkout.get()[nonceFields[gateway]];
  $checkout.setKey(nonceFields[gateway], '');
  return nonce;
}

/** Notes that the main purchase succeeded, and has the popup say so. */
export function completePurchase(id: string): void {
  $checkout.set({
    ...$checkout.get(),
    isSuccess: true,
    id,
    showSuccessPopup: true,
    paymentError: { show: false, message: '' },
  });
}

/** Notes why a payment failed. */
export function failPurchase(message: string): void {
  $checkout.setKey('paymentError', { show: true, message });
}

/** Opens or closes the card form. */
export function showCardForm(shown: boolean): void {
  $checkout.setKey('isCardFormShown', shown);
}

/** Notes that the open card form is seen. */
export function trackCardFormShown(): void {
  track('card_form_shown');
}

export function setCardholderName(name: string): void {
  $checkout.setKey('cardholderName', name);
}

/** Notes that the popup of a success is seen. */
export function trackSuccessPopup(): void {
  track('payment_successful_popup', {}, 'visit');
}

export function closeSuccessPopup(): void {
  $checkout.setKey('showSuccessPopup', false);
}
