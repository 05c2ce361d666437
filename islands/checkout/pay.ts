import type { BankMethod } from '../../worker/catalog/rules/bank-methods.ts';
import type { StripeWallet } from '../../worker/catalog/rules/stripe-wallets.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { call, request } from '../runtime/api.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { prefetchPage } from '../runtime/navigation/fetch-page.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { nextFrame } from '../runtime/navigation/next-frame.ts';
import { prerenderNext } from '../runtime/navigation/prerender-page.ts';
import { attribution } from '../runtime/tracking/attribution.ts';
import { trackPurchase, trackPurchaseFailure } from '../runtime/tracking/purchase-events.ts';
import { track } from '../runtime/tracking/track.ts';
import { limitOffer } from '../stores/app.ts';
import {
  $takeover,
  beginPurchase,
  completePurchase,
  declineMethod,
  failPurchase,
  showCardForm,
  takeNonce,
} from '../stores/checkout.ts';
import { adsAllowed } from '../stores/consent.ts';
import { setLoader } from '../stores/pending.ts';
import { $plans, couponShown, refuseIntro } from '../stores/plans.ts';
import { $signup, setPaymentProvider } from '../stores/signup.ts';
import { visitorUuid } from '../stores/visitor-uuid.ts';
import type { Provider, WalletPayment } from '../vendors/payment-provider.ts';
import { forgetPaymentSettings, loadPaymentSettings } from '../vendors/payment-settings.ts';
import { firstPollDelayMs, type Polled } from './poll.ts';
import {
  type Dependencies,
  type PurchaseResult,
  type PurchaseTexts,
  purchase,
  type Started,
  type SubscribeRequest,
} from './purchase.ts';
import { scrollToSection } from './scroll-to-section.ts';
import { isFinalDecline, wayForward } from './way-forward.ts';

export interface Payment {
  plan: string;
  provider: Pick<Provider, 'gateway' | 'confirm'>;
  method?: 'card' | 'wallet' | BankMethod | StripeWallet;
  /** Without it the saved method pays. */
  nonce?: string;
  /** Set when the buyer returns from a bank's page. */
  paymentId?: string;
  /** Return path for the bank's page. */
  returnPath?: string;
  coupon?: string;
  deviceData?: string;
  texts: PurchaseTexts;
}

const running = new Map<string, Promise<PurchaseResult>>();

const paths: Record<GatewayName, string> = {
  stripe: '/users/me/subscriptions/polling',
  braintree: '/users/me/subscriptions',
};
/** Where the first response is the result. Without one after the delay of a first poll the payment is processing. */
const unpolled: Record<GatewayName, boolean> = { stripe: false, braintree: true };

const planData = (plan: string): Record<string, string> | undefined =>
  JSON.parse(pageData().plans ?? '{}')[plan];

function chosenData(plan: string): Record<string, unknown> {
  const { flowType: flow_type, planDetails } = $plans.get();
  return planDetails?.id === plan ? { flow_type, period: planDetails.period } : { flow_type };
}

function boughtPlan(plan: string) {
  const { planDetails } = $plans.get();
  const { name, description } = planData(plan) ?? {};
  return {
    bought: name ? `${name}: ${description}` : '',
    renews: planDetails?.id === plan ? planDetails.renewal : '',
  };
}

/** Our session, so that a purchase at an outside product gives the account here the right to invite. */
const besideProduct = (own: string): Record<string, string> =>
  own ? { 'x-session': `Bearer ${own}` } : {};

function requestFor(payment: Payment): SubscribeRequest {
  const { plan, provider, coupon } = payment;
  return {
    gateway: provider.gateway,
    payment_method: payment.method,
    payment_method_nonce: payment.nonce || undefined,
    payment_intent_id: payment.paymentId,
    return_path: payment.returnPath,
    device_data: payment.deviceData,
    coupon,
    ...couponShown(plan, coupon),
    terms_shown: pageData().terms,
    user_data: {
      ...planData(plan),
      ...chosenData(plan),
      uuid: visitorUuid(),
      external_user_id: $signup.get().userId,
      ...(adsAllowed() ? attribution() : {}),
    },
  };
}

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

function dependenciesOf({ plan, provider, texts }: Payment): Dependencies {
  const { gateway, confirm } = provider;
  let processing = false;
  const begin = () => {
    if (!processing) track('processing_started', { plan, gateway });
    processing = true;
  };
  return {
    start(body) {
      // Read for each call: the token may be renewed during the bank challenge.
      const { token: bearer, own: session } = $signup.get();
      const started = call<Started>(`${paths[gateway]}/${plan}`, {
        body,
        bearer,
        headers: besideProduct(session),
      });
      if (unpolled[gateway]) Promise.race([started, wait(firstPollDelayMs)]).then(begin, () => {});
      return started;
    },
    fetchResult(id) {
      begin();
      return request<Polled>(`/polling/get-result/${id}`, {
        headers: besideProduct($signup.get().own),
      });
    },
    confirm: (challenge) => confirm(challenge, texts.challenge),
    wait,
    now: () => Date.now(),
  };
}

/** A second call while the first is running is the same payment. */
export function buy(payment: Payment): Promise<PurchaseResult> {
  const { plan, texts } = payment;
  const known = running.get(plan);
  if (known) return known;
  setLoader(true);
  const bought = purchase(requestFor(payment), dependenciesOf(payment), texts).finally(() => {
    running.delete(plan);
    setLoader(false);
  });
  running.set(plan, bought);
  return bought;
}

interface MainPayment extends Payment {
  nonce: string;
  /** The card, such as `Visa •••• 4242`, or the wallet, and the amount, as the page of a declined payment names them. */
  card?: string;
  wallet?: string;
  amount?: string;
  /** Message for a bank payment that failed, shown instead of the declined page, which is about cards. */
  declined?: string;
  onResult?: WalletPayment['onResult'];
}

/** Only a checkout outside the flow leads to the flow's first screen, which sells nothing to a buyer. */
function screenAfterPurchase(): string {
  const { next, first } = pageData();
  return !next || next === first ? '/success' : next;
}

/** An error stays in `$checkout` until the next try. The page shows the fields of a provider that takes over. */
export async function payMainPlan(payment: MainPayment): Promise<boolean> {
  const { plan, nonce, onResult, declined, card = '', wallet = '', amount = '' } = payment;
  const { gateway } = payment.provider;
  prefetchPage();
  // After the frame that shows the payment as pending.
  nextFrame().then(prerenderNext);
  setPaymentProvider(gateway);
  beginPurchase(gateway, nonce);
  const outcome = await buy({ ...payment, nonce: takeNonce(gateway) });
  onResult?.(outcome.kind === 'paid');
  if (outcome.kind === 'paid') {
    const { id, isProvisional } = outcome;
    // The upsell page itself states that the plan is active.
    const showSuccessPopup = !isProvisional && !pageData().next?.startsWith('/upsell');
    completePurchase({
      id,
      isProvisional,
      showSuccessPopup,
      paidWith: card,
      ...boughtPlan(plan),
    });
    // Nothing more is sold until the debit is paid.
    if (isProvisional) {
      await navigate('/success');
      return true;
    }
    trackPurchase('subs_purchase_completed', plan, outcome);
    await navigate(screenAfterPurchase());
    return true;
  }
  trackPurchaseFailure(plan, gateway, outcome);
  if (outcome.kind === 'rerouted') {
    // The keys and the route from sign-up may be outdated for the other provider.
    forgetPaymentSettings();
    await loadPaymentSettings();
    showCardForm(true);
    $takeover.set({ to: outcome.gateway, message: outcome.message });
    return false;
  }
  const isDeclined = outcome.kind === 'declined';
  const { message, detail, decline } = outcome;
  failPurchase({
    message: (isDeclined && declined) || message,
    detail,
    way: wayForward(decline),
  });
  if (decline === 'intro_used') refuseIntro();
  if (decline === 'offer_ended') limitOffer(0);
  // The new price is in the order.
  if (wayForward(decline) === 'plans') nextFrame().then(() => scrollToSection('pay'));
  if (isDeclined && !declined) {
    declineMethod({ card, wallet, amount }, isFinalDecline(decline));
    await navigate('/payment_declined');
  }
  return false;
}
