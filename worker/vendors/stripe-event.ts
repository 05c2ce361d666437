import Stripe from 'stripe';
import type { GatewayEvent } from '../funnel/gateway-event.ts';
import type { ReadWebhook } from './webhooks.ts';

/** How old a signature may be, in seconds. */
const tolerance = 300;

type Json = { [name: string]: Json } | string | number | boolean | null | undefined;

const at = (json: Json, name: string): Json =>
  typeof json === 'object' && json !== null ? json[name] : undefined;

/** An id, whether it stands alone or in the object that it names. */
function idIn(json: Json): string | null {
  const id = typeof json === 'object' ? at(json, 'id') : json;
  return typeof id === 'string' && id !== '' ? id : null;
}

/** What an event's object is about. Invoices carry their subscription's metadata one level down. */
export function namesIn(object: Json): Omit<GatewayEvent, 'gateway' | 'id' | 'type'> {
  const kind = at(object, 'object');
  const own = (wanted: string) => (kind === wanted ? idIn(object) : null);
  const details = at(at(object, 'parent'), 'subscription_details');
  const noted = (name: string) =>
    idIn(at(at(object, 'metadata'), name)) ?? idIn(at(at(details, 'metadata'), name));
  return {
    account: noted('account'),
    attempt: noted('attempt_id'),
    customerId: own('customer') ?? idIn(at(object, 'customer')),
    subscriptionId:
      own('subscription') ?? idIn(at(details, 'subscription')) ?? idIn(at(object, 'subscription')),
    paymentId: own('payment_intent') ?? idIn(at(object, 'payment_intent')),
  };
}

/** Stripe's webhooks (docs.stripe.com/webhooks#verify-manually). */
export const readStripe: ReadWebhook = async (env, { body, headers }, now) => {
  const signature = headers.get('stripe-signature');
  const secret = env.STRIPE_WEBHOOK_SECRET;
  if (!signature || !secret) return null;
  try {
    const event = await Stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      tolerance,
      Stripe.createSubtleCryptoProvider(),
      now,
    );
    const names = namesIn(event.data.object as unknown as Json);
    return { gateway: 'stripe', id: event.id, type: event.type, ...names };
  } catch {
    return null;
  }
};
