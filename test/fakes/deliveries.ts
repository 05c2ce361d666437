import type { Stripe } from 'stripe';
import { webhookEvents } from '../../worker/payments/gateways/webhook-events.ts';
import type { Webhook } from './braintree/notifications.ts';
import { signatureOf } from './stripe/webhooks.ts';

/** The funnel that the providers' messages go to. */
export interface Endpoint {
  /** Such as `http://localhost:8787`. */
  origin: string;
  /** With which Stripe signs, `whsec_…`. */
  secret: string;
  post?: (address: string, init: RequestInit) => Promise<Response>;
}

/** What is not taken comes again, so often and after so many ms. */
const tries = 30;
const pause = 1000;

type Message = (endpoint: Endpoint) => Promise<{ path: string; init: RequestInit }>;

const stripeMessage =
  (event: Stripe.Event): Message =>
  async ({ secret }) => {
    const body = JSON.stringify({ ...event, pending_webhooks: 1 });
    const signature = await signatureOf(body, secret, Math.floor(Date.now() / 1000));
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return { path: '/webhooks/stripe', init: { method: 'POST', headers, body } };
  };

const braintreeMessage =
  ({ bt_signature, bt_payload }: Webhook): Message =>
  async () => ({
    path: '/webhooks/braintree',
    init: { method: 'POST', body: new URLSearchParams({ bt_signature, bt_payload }) },
  });

/** Carries the providers' webhooks to the funnel, signed; drops them while there is no funnel. */
export function deliveries(wait = (ms: number) => new Promise((done) => setTimeout(done, ms))) {
  let endpoint: Endpoint | undefined;

  async function arrives(message: Message, to: Endpoint): Promise<boolean> {
    const { path, init } = await message(to);
    const { post = fetch } = to;
    return post(`${to.origin}${path}`, init).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async function carry(message: Message): Promise<void> {
    for (let left = tries; endpoint && left > 0; left -= 1) {
      if (await arrives(message, endpoint)) return;
      await wait(pause);
    }
  }

  return {
    to(found: Endpoint): void {
      endpoint = found;
    },
    async onEvent(event: Stripe.Event): Promise<void> {
      if (webhookEvents.stripe.includes(event.type)) await carry(stripeMessage(event));
    },
    async onWebhook(webhook: Webhook): Promise<void> {
      if (webhookEvents.braintree.includes(webhook.kind)) await carry(braintreeMessage(webhook));
    },
  };
}
