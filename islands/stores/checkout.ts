import { atom, map } from 'nanostores';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { RefusalReason } from '../checkout/way-forward.ts';
import { persist } from '../runtime/storage/persist.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';
import { track } from '../runtime/tracking/track.ts';

export interface Checkout {
  cardholderName: string;
  isSuccess: true | null;
  id: string;
  stripeNonce: string;
  braintreeNonce: string;
  paymentError: { show: boolean } & RefusalReason;
  isCardFormShown: boolean;
  showSuccessPopup: boolean;
  isProvisional: boolean;
  /** The plan with its prices, and the day of its next charge, in the language of the purchase. */
  bought: string;
  renews: string;
  /** Whether the bank refuses the card for good, so that trying it again is pointless. */
  cardRefused: boolean;
  /** What was declined with its amount, such as `Visa •••• 4242 · $59.99`, and without it; empty if unknown. */
  declined: string;
  declinedMethod: string;
  /** Its name if it is a wallet. */
  declinedWallet: string;
  /** Whether the last try was declined, and the one before, too. */
  isDeclined: boolean;
  declinedAgain: boolean;
  /** The card that just paid, such as `Visa •••• 4242`; empty once another may be saved. */
  paidWith: string;
  /** The wallet that the checkout offered beside the card, by name; empty for none. */
  otherWallet: string;
  /** Whether that is Google Pay, whose button shows its mark. */
  otherIsGoogle: boolean;
}

declare module '../runtime/storage/update-slice.ts' {
  interface Slices {
    checkout: Checkout;
  }
}

/** Set while the buyer has to enter the card again, at the provider that took over the payment; what the page says. */
export const $takeover = atom<{ to: GatewayName; message: string } | null>(null);

/** Whether the fields hold a whole card, so that the bar can pay. */
export const $cardComplete = atom(false);

export const $barWallet = atom(false);

const noError = { show: false, message: '', way: 'retry' } as const;

/** The wallet that pays, with the amount; empty while none does. */
export const $walletPays = atom('');

/** Why the last payment with a wallet failed; empty if none did. */
export const $walletFailure = map<RefusalReason>(noError);

const notDeclined = {
  declined: '',
  declinedMethod: '',
  declinedWallet: '',
  isDeclined: false,
  declinedAgain: false,
};

export const $checkout = map<Checkout>({
  cardholderName: '',
  isSuccess: null,
  id: '',
  stripeNonce: '',
  braintreeNonce: '',
  paymentError: noError,
  isCardFormShown: false,
  showSuccessPopup: false,
  isProvisional: false,
  bought: '',
  renews: '',
  cardRefused: false,
  ...notDeclined,
  paidWith: '',
  otherWallet: '',
  otherIsGoogle: false,
});
persist('checkout', $checkout);

const nonceFields = {
  stripe: 'stripeNonce',
  braintree: 'braintreeNonce',
} as const satisfies Record<GatewayName, keyof Checkout>;

export function beginPurchase(gateway: GatewayName, nonce: string): void {
  $checkout.set({
    ...$checkout.get(),
    [nonceFields[gateway]]: nonce,
    paymentError: noError,
  });
}

export function takeNonce(gateway: GatewayName): string {
  const nonce = $checkout.get()[nonceFields[gateway]];
  $checkout.setKey(nonceFields[gateway], '');
  return nonce;
}

export function completePurchase(
  purchase: Pick<Checkout, 'id' | 'showSuccessPopup' | 'isProvisional' | 'bought' | 'renews'> & {
    paidWith?: string;
  },
): void {
  updateSlice('checkout', {
    ...{ isSuccess: true, paymentError: noError, ...notDeclined, paidWith: '' },
    ...purchase,
  });
}

/** Without a plan no page may say that one is active. */
export function forgetPurchase(): void {
  updateSlice('checkout', { isSuccess: null, id: '' });
}

export function failPurchase(reason: RefusalReason): void {
  $checkout.setKey('paymentError', { show: true, ...reason });
}

export function forgetFailure(): void {
  $checkout.setKey('paymentError', noError);
}

/** @param method that was declined: a card, such as `Visa •••• 4242`, or a wallet by its name */
export function declineMethod(
  method: { card: string; wallet: string; amount: string },
  forGood: boolean,
): void {
  const { card, wallet, amount } = method;
  const declinedMethod = wallet || card;
  updateSlice('checkout', {
    // A wallet may hold another card.
    cardRefused: forGood && !wallet,
    declined: declinedMethod && amount && `${declinedMethod} · ${amount}`,
    declinedMethod,
    declinedWallet: wallet,
    isDeclined: true,
    declinedAgain: $checkout.get().isDeclined,
  });
}

export function offerOtherWallet(otherWallet: string): void {
  if ($checkout.get().otherWallet !== otherWallet)
    updateSlice('checkout', { otherWallet, otherIsGoogle: otherWallet === 'Google Pay' });
}

export function showCardForm(shown: boolean): void {
  $checkout.setKey('isCardFormShown', shown);
}

export function trackCardFormShown(): void {
  track('card_form_shown');
}

export function setCardholderName(name: string): void {
  $checkout.setKey('cardholderName', name);
}

/** The page says that the plan is active; if no earlier screen did, that is an event. */
export function confirmPurchase(): void {
  if ($checkout.get().paidWith) updateSlice('checkout', { paidWith: '' });
  if (!$checkout.get().showSuccessPopup) return;
  track('payment_successful_popup', {}, 'visit');
  $checkout.setKey('showSuccessPopup', false);
}
