import { createBraintree } from '../../fakes/braintree/server.ts';
import { geocoder } from '../../fakes/geocoder.ts';
import { createMail } from '../../fakes/mail/server.ts';
import { createAnalytics, createListener } from '../../fakes/networks/conversions.ts';
import { createSms } from '../../fakes/sms/server.ts';
import { seedProduct } from '../../fakes/stripe/catalog.ts';
import { createStripe } from '../../fakes/stripe/server.ts';
import { signatureOf } from '../../fakes/stripe/webhooks.ts';

/** A webhook in its provider's format. */
interface PostedRequest {
  path: string;
  body: string;
  headers: Record<string, string>;
}

type Answer = (request: Request) => Promise<Response | null>;

/** All vendors of the Worker, with the webhooks of two of them. */
export function openVendors(product: string, secret: string, jwk: object) {
  const deliveries: Promise<PostedRequest>[] = [];
  const stripe = createStripe({
    onEvent(event) {
      const body = JSON.stringify({ ...event, pending_webhooks: 1 });
      const post = async () => {
        const signature = await signatureOf(body, secret, Math.floor(Date.now() / 1000));
        return { path: '/webhooks/stripe', body, headers: { 'stripe-signature': signature } };
      };
      deliveries.push(post());
    },
  });
  const braintree = createBraintree({
    onWebhook({ bt_signature, bt_payload }) {
      const body = `${new URLSearchParams({ bt_signature, bt_payload })}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      deliveries.push(Promise.resolve({ path: '/webhooks/braintree', body, headers }));
    },
  });
  seedProduct(product, 'Funnel', stripe.state);
  const [mail, sms, analytics, networks] = [
    createMail(),
    createSms(),
    createAnalytics(),
    createListener(),
  ];
  const atBraintree: Answer = (request) => braintree.fetch(request);
  const hosts: Record<string, Answer> = {
    'api.stripe.com': (request) => stripe.fetch(request),
    'api.sandbox.braintreegateway.com': atBraintree,
    'payments.sandbox.braintree-api.com': atBraintree,
    'api.resend.com': mail.fetch,
    'api.twilio.com': sms.fetch,
    'api.amplitude.com': analytics.fetch,
    'graph.facebook.com': networks.receive,
    'business-api.tiktok.com': networks.receive,
    'www.google-analytics.com': networks.receive,
    'www.googleapis.com': async () => Response.json({ keys: [jwk] }),
    'maps.googleapis.com': geocoder,
    'portal.test': async () => Response.json({ data: { portal: true } }),
  };
  return {
    stripe,
    braintree,
    mail,
    sms,
    analytics,
    networks,
    fetch: async (request: Request): Promise<Response> =>
      (await hosts[new URL(request.url).hostname]?.(request)) ??
      new Response('nobody', { status: 599 }),
    /** The webhooks since the last call. */
    posts: () => Promise.all(deliveries.splice(0)),
  };
}
