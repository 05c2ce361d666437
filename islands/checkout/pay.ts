import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import { call, request } from '../runtime/api.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { adsAllowed } from '../runtime/storage/ads-allowed.ts';
import { attribution } from '../runtime/tracking/attribution.ts';
import { trackPurchase, trackPurchaseFailure } from '../runtime/tracking/purchase-events.ts';
import { track } from '../runtime/tracking/track.ts';
import {
  $checkout,
  beginPurchase,
  completePurchase,
  failPurchase,
  takeNonce,
} from '../stores/checkout.ts';
import { setError } from '../stores/error.ts';
import { setLoader } from '../stores/loader.ts';
import { $plans, refuseIntro } from '../stores/plans.ts';
import { $signup, setPaymentProvider } from '../stores/signup.ts';
import { visitorUuid } from '../stores/visitor-uuid.ts';
import type { Provider, WalletPayment } from '../vendors/payment-provider.ts';
import { firstPoll, type Polled } from './poll.ts';
import {
  type Dependencies,
  type PurchaseResult,
  purchase,
  type Started,
  type Texts,
} from './purchase.ts';

interface Purchase {
  /** Plan id. */
  plan: string;
  gateway: GatewayName;
  /** The provider's one-time name of a payment method; the saved one when left out. */
  nonce?: string;
  /** Code of the coupon that the buyer saw lower the price. */
  coupon?: string;
  /** What the provider noticed of the device. */
  deviceData?: string;
  confirm: Provider['confirm'];
  texts: Texts;
}

const open = new Map<string, Promise<PurchaseResult>>();

/** The card provider is polled for; the other one answers when it knows. */
const paths = {
  stripe: '/users/me/subscriptions/polling',
  braintree: '/users/me/subscriptions',
} as const;

/** What the page says of a plan: the catalogue's entry. */
const planData = (plan: string): object | undefined => JSON.parse(pageData().plans ?? '{}')[plan];

/** How the visitor came to a plan, and how the chosen one renews. */
function chosenData(plan: string): Record<string, unknown> {
  const { flowType: flow_type, planDetails } = $plans.get();
  return planDetails?.id === plan ? { flow_type, period: planDetails.period } : { flow_type };
}

function buyNow(purchased: Purchase): Promise<PurchaseResult> {
  const { plan, gateway, nonce, coupon, deviceData, confirm, texts } = purchased;
  const { userId } = $signup.get();
  const order = {
    gateway,
    payment_method_nonce: nonce,
    device_data: deviceData,
    coupon,
    terms_shown: pageData().terms,
    user_data: {
      ...planData(plan),
      ...chosenData(plan),
      uuid: visitorUuid(),
      external_user_id: userId,
      ...(adsAllowed() ? attribution() : {}),
    },
  };
  let processing = false;
  const begin = () => {
    if (!processing) track('processing_started', { plan, gateway });
    processing = true;
  };
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const tools: Dependencies = {
    start(body) {
      // Read at each call: it may have been renewed while the bank asked.
      const bearer = $signup.get().token;
      const started = call<Started>(`${paths[gateway]}/${plan}`, { body, bearer });
      // What is awaited is not polled for. A refusal comes before anything is processed.
      if (gateway === 'braintree') Promise.race([started, wait(firstPoll)]).then(begin, () => {});
      return started;
    },
    ask(id) {
      begin();
      return request<Polled>(`/polling/get-result/${id}`);
    },
    confirm: (challenge) => confirm(challenge, texts.challenge),
    wait,
    now: () => Date.now(),
  };
  return purchase(order, tools, texts);
}

/** Buys a plan; while that is under way, another call for the same plan is the same purchase. */
export function buy(order: Purchase): Promise<PurchaseResult> {
  const known = open.get(order.plan);
  if (known) return known;
  setLoader(true);
  const bought = buyNow(order).finally(() => {
    open.delete(order.plan);
    setLoader(false);
  });
  open.set(order.plan, bought);
  return bought;
}

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
