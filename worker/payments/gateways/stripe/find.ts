import type Stripe from 'stripe';
import type { ChargeRequest } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';
import { noted, paymentOf, rowOf } from './create-subscription.ts';
import { limit, listAll } from './money.ts';
import { isRefused, type Made } from './outcome.ts';

const isOf =
  ({ attempt }: ChargeRequest) =>
  ({ metadata }: { metadata: Stripe.Metadata }) =>
    metadata.attempt_id === attempt.id;

/** Reads an object by its id; undefined where there is no id, or Stripe knows none of it. */
async function byId<T>(id: string | null, read: (id: string) => Promise<T>) {
  if (!id) return undefined;
  return read(id).catch((error) => {
    if (isRefused(error)) return undefined;
    throw error;
  });
}

async function subscriptionOf(stripe: StripeClient, order: ChargeRequest) {
  const { attempt, customerId: customer } = order;
  const known = await byId(attempt.subscriptionId, (id) => stripe.subscriptions.retrieve(id));
  if (known) return known;
  const list = stripe.subscriptions.list({ customer, status: 'all', limit });
  return (await listAll(list)).find(isOf(order));
}

/** The invoice that a subscription was made with, which is not its latest once it has renewed. */
async function firstInvoice(stripe: StripeClient, order: ChargeRequest, subscription: string) {
  const expand = ['payments'];
  const { invoiceId } = order.attempt;
  const known = await byId(invoiceId, (id) => stripe.invoices.retrieve(id, { expand }));
  if (known) return known;
  const list = stripe.invoices.list({ subscription, limit, expand: ['data.payments'] });
  const first = (await listAll(list)).find(
    ({ billing_reason: why }) => why === 'subscription_create',
  );
  if (!first) throw new TypeError('no first invoice');
  return first;
}

async function paymentAlone(stripe: StripeClient, order: ChargeRequest) {
  const { attempt, customerId: customer } = order;
  const known = await byId(attempt.paymentId, (id) => stripe.paymentIntents.retrieve(id));
  if (known) return known;
  return (await listAll(stripe.paymentIntents.list({ customer, limit }))).find(isOf(order));
}

/**
 * Finds what was made for an attempt: by the ids that were stored, else by the attempt's id, which
 * everything made for it carries. What is found is stored.
 *
 * @returns null when nothing was made
 * @throws when Stripe does not answer, or what was stored is not there any more
 */
export async function find(stripe: StripeClient, order: ChargeRequest): Promise<Made | null> {
  const { attempt } = order;
  if (rowOf(order).period === 'once') {
    const intent = await paymentAlone(stripe, order);
    if (!intent && attempt.paymentId) throw new TypeError('the payment is gone');
    return intent
      ? noted(order, { subscriptionId: null, invoiceId: null, paymentId: intent.id })
      : null;
  }
  const subscription = await subscriptionOf(stripe, order);
  if (!subscription && attempt.subscriptionId) throw new TypeError('the subscription is gone');
  if (!subscription) return null;
  const invoice = await firstInvoice(stripe, order, subscription.id);
  return noted(order, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    paymentId: attempt.paymentId ?? paymentOf(invoice),
  });
}
