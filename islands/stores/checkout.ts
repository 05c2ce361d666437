import { map } from 'nanostores';
import { track } from '../runtime/track.ts';
import { persist } from './persist.ts';

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

/** Notes that the main purchase succeeded, and has the popup say so. */
export function completePurchase(id: string): void {
  $checkout.set({
    ...$checkout.get(),
    isSuccess: true,
    id,
    showSuccessPopup: true,
    stripeNonce: '',
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
export function seeCardForm(): void {
  track('card_form_shown');
}

export function setCardholderName(name: string): void {
  $checkout.setKey('cardholderName', name);
}

/** Notes that the popup of a success is seen. */
export function seeSuccessPopup(): void {
  track('payment_successful_popup', {}, 'visit');
}

export function closeSuccessPopup(): void {
  $checkout.setKey('showSuccessPopup', false);
}
