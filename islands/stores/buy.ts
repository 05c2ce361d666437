import type { GatewayName } from '../../worker/funnel/purchase.ts';
import { mayAdvertise } from '../runtime/advertising.ts';
import { call, request } from '../runtime/api.ts';
import { attribution } from '../runtime/attribution.ts';
import { here } from '../runtime/here.ts';
import { track } from '../runtime/track.ts';
import type { Provider } from '../vendors/provider.ts';
import { setLoader } from './loader.ts';
import { $plans } from './plans.ts';
import { firstPoll, type Polled } from './poll.ts';
import { type Outcome, purchase, type Started, type Texts, type Tools } from './purchase.ts';
import { $signup } from './signup.ts';
import { visitorUuid } from './visitor.ts';

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

const open = new Map<string, Promise<Outcome>>();

/** The card provider is polled for; the other one answers when it knows. */
const paths = {
  stripe: '/users/me/subscriptions/polling',
  braintree: '/users/me/subscriptions',
} as const;

/** What the page says of a plan: the catalogue's entry. */
const planData = (plan: string): object | undefined => JSON.parse(here().plans ?? '{}')[plan];

/** How the visitor came to a plan, and how the chosen one renews. */
function chosenData(plan: string): Record<string, unknown> {
  const { flowType: flow_type, planDetails } = $plans.get();
  return planDetails?.id === plan ? { flow_type, period: planDetails.period } : { flow_type };
}

function buyNow(purchased: Purchase): Promise<Outcome> {
  const { plan, gateway, nonce, coupon, deviceData, confirm, texts } = purchased;
  const { userId } = $signup.get();
  const order = {
    gateway,
    payment_method_nonce: nonce,
    device_data: deviceData,
    coupon,
    terms_shown: here().terms,
    user_data: {
      ...planData(plan),
      ...chosenData(plan),
      uuid: visitorUuid(),
      external_user_id: userId,
      ...(mayAdvertise() ? attribution() : {}),
    },
  };
  let processing = false;
  const begin = () => {
    if (!processing) track('processing_started', { plan, gateway });
    processing = true;
  };
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const tools: Tools = {
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
export function buy(order: Purchase): Promise<Outcome> {
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
