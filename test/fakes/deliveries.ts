import type { Stripe } from 'stripe';
import { webhooksOf } from '../../worker/payments/gateways/index.ts';
import type { Webhook } from './braintree/clock.ts';
import { signedPost } from './stripe/webhooks.ts';

/** The destination of webhooks. */
export interface Endpoint {
  /** Such as `http://localhost:8787`. */
  origin: string;
  /** Stripe's signing secret, `whsec_…`. */
  secret: string;
  post?: (url: string, init: RequestInit) => Promise<Response>;
}

const maxTries = 30;
const retryDelayMs = 1000;

type Message = (endpoint: Endpoint) => Promise<{ path: string; init: RequestInit }>;

const stripeMessage =
  (event: Stripe.Event): Message =>
  async ({ secret }) => ({
    path: '/webhooks/stripe',
    init: await signedPost(event, secret, Math.floor(Date.now() / 1000)),
  });

const braintreeMessage =
  ({ bt_signature, bt_payload }: Webhook): Message =>
  async () => ({
    path: '/webhooks/braintree',
    init: { method: 'POST', body: new URLSearchParams({ bt_signature, bt_payload }) },
  });

/** Posts signed webhooks to the funnel, with retries; drops them while no endpoint is set. */
export function deliveries(wait = (ms: number) => new Promise((done) => setTimeout(done, ms))) {
  let endpoint: Endpoint | undefined;

  async function post(message: Message, to: Endpoint): Promise<boolean> {
    const { path, init } = await message(to);
    const { post: send = fetch } = to;
    return send(`${to.origin}${path}`, init).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async function deliver(message: Message): Promise<void> {
    for (let tries = maxTries; endpoint && tries > 0; tries -= 1) {
      if (await post(message, endpoint)) return;
      await wait(retryDelayMs);
    }
  }

  return {
    to(target: Endpoint): void {
      endpoint = target;
    },
    async onEvent(event: Stripe.Event): Promise<void> {
      const { events } = await webhooksOf('stripe');
      if (events.includes(event.type)) await deliver(stripeMessage(event));
    },
    async onWebhook(webhook: Webhook): Promise<void> {
      const { events } = await webhooksOf('braintree');
      if (events.includes(webhook.kind)) await deliver(braintreeMessage(webhook));
    },
  };
}
