import type { Env } from '../env.ts';
import type { GatewayEvent } from '../funnel/gateway-event.ts';
import type { GatewayName } from '../funnel/purchase.ts';
import { hasBraintree } from './braintree-account.ts';
import { type Notification, verifyWebhook } from './braintree-webhook.ts';
import { readStripeEvent } from './stripe-webhook.ts';

/** A webhook as it was posted. */
interface Posted {
  /** Letter by letter. */
  body: string;
  headers: Headers;
}

/**
 * Reads a gateway's webhook.
 *
 * @param now ms since 1970
 * @returns null unless the gateway itself signed this body lately
 */
export type ReadWebhook = (env: Env, posted: Posted, now: number) => Promise<GatewayEvent | null>;

const readStripe: ReadWebhook = async (env, { body, headers }, now) => {
  const secret = env.STRIPE_WEBHOOK_SECRET;
  const event =
    secret && (await readStripeEvent(body, headers.get('stripe-signature'), secret, now));
  if (!event) return null;
  const { created: _, ...names } = event;
  return { gateway: 'stripe', attempt: null, ...names };
};

/** How far the clocks may differ, and how long Braintree sends a message again, in ms. */
const tolerance = 300_000;
const resent = 24 * 60 * 60_000;

/** Braintree names no events: the same payload is the same event. */
async function idOf(payload: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(payload));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Null for anything that is not signed as it should be, also when it can not even be read. */
async function verified(env: Env, form: URLSearchParams): Promise<Notification | null> {
  try {
    return await verifyWebhook(env, form.get('bt_signature') ?? '', form.get('bt_payload') ?? '');
  } catch {
    return null;
  }
}

const readBraintree: ReadWebhook = async (env, { body }, now) => {
  const form = new URLSearchParams(body);
  const told = hasBraintree(env) ? await verified(env, form) : null;
  if (!told) return null;
  // Signed once, when it happened, however often it is sent.
  const age = now - told.at;
  if (!(age >= -tolerance && age <= resent + tolerance)) return null;
  const { subscription, transaction, dispute, kind: type } = told;
  return {
    gateway: 'braintree',
    id: await idOf(form.get('bt_payload') ?? ''),
    type,
    account: null,
    attempt: transaction?.orderId || null,
    customerId: null,
    subscriptionId: subscription?.id || null,
    paymentId: dispute?.transactionId || transaction?.id || null,
  };
};

/** Who reads the webhooks of a gateway. */
export const webhookReaders: Record<GatewayName, ReadWebhook> = {
  stripe: readStripe,
  braintree: readBraintree,
};
