import Stripe from 'stripe';
import type { Env } from '../../../platform/env.ts';
import { fieldsIn } from '../../../platform/read-json.ts';
import { accountIdOf, paymentIdOf } from '../../../platform/types.ts';
import type { GatewayEvent } from '../../purchase/gateway.ts';
import type { PaidPeriod } from '../../purchase/settlement.ts';
import { stripeClient } from './client.ts';
import { pageSize } from './statement.ts';

/** The event types that are handled; https://docs.stripe.com/api/events/types lists them all. */
export const stripeEvents: readonly string[] = [
  'payment_intent.processing',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.requires_action',
  'payment_intent.canceled',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'charge.refunded',
  'refund.failed',
  'refund.updated',
  'charge.dispute.created',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
];

const maxSignatureAgeSeconds = 300;
const cryptoProvider = Stripe.createSubtleCryptoProvider();

/** Stricter than the official client, which reads `t=12x` as 12. */
const signaturePattern = /^t=[1-9]\d{0,11}(,v\d=[\w+/-]+)+$/;

const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((parent, name) => fieldsIn(parent)[name], value);

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const idOf = (value: unknown): string | null => textOf(value) ?? textOf(valueAt(value, 'id'));

const accountOf = (object: unknown): string | null =>
  textOf(valueAt(object, 'metadata', 'account')) ??
  textOf(valueAt(object, 'parent', 'subscription_details', 'metadata', 'account')) ??
  textOf(valueAt(object, 'subscription_details', 'metadata', 'account'));

/** Reads only ids; null if it is not an event. */
function gatewayEventOf(event: unknown): GatewayEvent | null {
  const id = textOf(valueAt(event, 'id'));
  const type = textOf(valueAt(event, 'type'));
  const created = valueAt(event, 'created');
  if (!id || !type || typeof created !== 'number') return null;
  const object = valueAt(event, 'data', 'object');
  const kind = valueAt(object, 'object');
  const account = accountOf(object);
  const paymentId = idOf(valueAt(object, kind === 'payment_intent' ? 'id' : 'payment_intent'));
  return {
    gateway: 'stripe',
    id,
    type,
    account: account ? accountIdOf(account) : null,
    attempt: null,
    customerId: idOf(valueAt(object, kind === 'customer' ? 'id' : 'customer')),
    paymentId: paymentId === null ? null : paymentIdOf(paymentId),
    invoiceId: kind === 'invoice' ? idOf(object) : null,
    // Before the version 2025-03-31.basil an invoice had no parent; events come in the endpoint's own version.
    subscriptionId:
      idOf(valueAt(object, 'parent', 'subscription_details', 'subscription')) ??
      (kind === 'invoice' ? idOf(valueAt(object, 'subscription')) : null),
    createdAt: created * 1000,
  };
}

/**
 * A page of the events that our webhook endpoint did not acknowledge: "events which are still pending or have
 * failed all delivery attempts" (docs.stripe.com/api/events/list). Stripe keeps events for 30 days.
 */
export async function missedStripeEvents(
  env: Env,
  { from, to }: PaidPeriod,
  cursor: string | null,
): Promise<{ events: GatewayEvent[]; next: string | null }> {
  const page = await stripeClient(env).events.list({
    created: { gte: from / 1000, lt: to / 1000 },
    types: [...stripeEvents],
    delivery_success: false,
    limit: pageSize,
    ...(cursor && { starting_after: cursor }),
  });
  const events = page.data.flatMap((event) => gatewayEventOf(event) ?? []);
  return { events, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null };
}

/** @param now ms since 1970 @returns null unless Stripe signed the body in the last 300 s */
export async function readStripeWebhook(
  { STRIPE_WEBHOOK_SECRET: secret }: Pick<Env, 'STRIPE_WEBHOOK_SECRET'>,
  { body, headers }: { body: string; headers: Headers },
  now: number,
): Promise<GatewayEvent | null> {
  const signature = headers.get('stripe-signature');
  if (!secret || !signature || !signaturePattern.test(signature)) return null;
  let event: unknown;
  try {
    event = await Stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      maxSignatureAgeSeconds,
      cryptoProvider,
      now,
    );
  } catch {
    return null; // Not signed by Stripe: refused, and the refusal is logged.
  }
  return gatewayEventOf(event);
}
