import { navigate } from '../runtime/navigation/navigate.ts';
import { trackPurchase, trackPurchaseFailure } from '../runtime/tracking/purchase-events.ts';
import {
  $checkout,
  beginPurchase,
  completePurchase,
  failPurchase,
  takeNonce,
} from '../stores/checkout.ts';
import { setError } from '../stores/error.ts';
import { refuseIntro } from '../stores/plans.ts';
import { setPaymentProvider } from '../stores/signup.ts';
import type { Provider, WalletPayment } from '../vendors/payment-provider.ts';
import { buy } from './buy.ts';
import type { Texts } from './purchase.ts';

interface Payment extends WalletPayment {
  /** Plan id. */
  plan: string;
  provider: Provider;
  /** The provider's one-time name of a payment method. */
  nonce: string;
  /** Code of the coupon that the buyer saw lower the price. */
  coupon?: string;
  texts: Texts;
}

/**
 * Buys the main plan and leads on: to the next screen, to the page of declined payments, or says
 * here what went wrong.
 *
 * @returns whether it is paid
 */
export async function payMainPlan(payment: Payment): Promise<boolean> {
  const { plan, provider, nonce, coupon, deviceData, known, texts } = payment;
  const { gateway, confirm } = provider;
  setPaymentProvider(gateway);
  beginPurchase(gateway, nonce);
  const outcome = await buy({
    plan,
    gateway,
    nonce: takeNonce(gateway),
    coupon,
    deviceData,
    confirm,
    texts,
  });
  known?.(outcome.is === 'paid');
  if (outcome.is === 'paid') {
    completePurchase(outcome.id);
    trackPurchase('subs_purchase_completed', plan, outcome);
    await navigate();
    return true;
  }
  failPurchase(outcome.message);
  trackPurchaseFailure(plan, gateway, outcome);
  if (outcome.decline === 'intro_used') refuseIntro();
  if (outcome.is === 'declined') await navigate('/payment_declined');
  else setError($checkout.get().paymentError.message);
  return false;
}
