import type { GatewayName } from '../../worker/funnel/purchase.ts';
import { mayAdvertise } from '../runtime/advertising.ts';
import { call, request } from '../runtime/api.ts';
import { attribution } from '../runtime/attribution.ts';
import { track } from '../runtime/track.ts';
import { setLoader } from './loader.ts';
import type { Polled } from './poll.ts';
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
  confirm: Tools['confirm'];
  texts: Texts;
}

const open = new Map<string, Promise<Outcome>>();

/** The card provider is polled for; the other one answers when it knows. */
const paths = {
  stripe: '/users/me/subscriptions/polling',
  braintree: '/users/me/subscriptions',
} as const;

function buyNow(purchased: Purchase): Promise<Outcome> {
  const { plan, gateway, nonce, coupon, deviceData, confirm, texts } = purchased;
  const { userId } = $signup.get();
  const order = {
    gateway,
    payment_method_nonce: nonce,
    device_data: deviceData,
    coupon,
    terms_shown: document.querySelector('main')?.dataset.terms,
    user_data: {
      uuid: visitorUuid(),
      external_user_id: userId,
      ...(mayAdvertise() ? attribution() : {}),
    },
  };
  let asked = false;
  const tools: Tools = {
    // Read at each call: it may have been renewed while the bank asked.
    start: (body) =>
      call<Started>(`${paths[gateway]}/${plan}`, { body, bearer: $signup.get().token }),
    ask(id) {
      if (!asked) track('processing_started', { plan, gateway });
      asked = true;
      return request<Polled>(`/polling/get-result/${id}`);
    },
    confirm,
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
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
