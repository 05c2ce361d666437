import type Stripe from 'stripe';
import type { ChargeRequest } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';
import { paymentOf, planFor, recorded } from './create-subscription.ts';
import { listAll, pageSize } from './money.ts';
import { isRefused, type Made } from './outcome.ts';

const belongsTo =
  ({ attempt }: ChargeRequest) =>
  ({ metadata }: { metadata: Stripe.Metadata }) =>
    metadata.attempt_id === attempt.id;

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
  const list = stripe.subscriptions.list({ customer, status: 'all', limit: pageSize });
  return (await listAll(list)).find(belongsTo(order));
}

async function firstInvoice(stripe: StripeClient, order: ChargeRequest, subscription: string) {
  const expand = ['payments'];
  const { invoiceId } = order.attempt;
  const known = await byId(invoiceId, (id) => stripe.invoices.retrieve(id, { expand }));
  if (known) return known;
  const list = stripe.invoices.list({ subscription, limit: pageSize, expand: ['data.payments'] });
  const first = (await listAll(list)).find(
    ({ billing_reason }) => billing_reason === 'subscription_create',
  );
  if (!first) throw new TypeError('no first invoice');
  return first;
}

async function oneTimePayment(stripe: StripeClient, order: ChargeRequest) {
  const { attempt, customerId: customer } = order;
  const known = await byId(attempt.paymentId, (id) => stripe.paymentIntents.retrieve(id));
  if (known) return known;
  return (await listAll(stripe.paymentIntents.list({ customer, limit: pageSize }))).find(
    belongsTo(order),
  );
}

/**
 * Finds the objects of an attempt by their recorded ids, else by the attempt's id in their metadata.
 * @throws also when an object with a recorded id is gone
 */
export async function find(stripe: StripeClient, order: ChargeRequest): Promise<Made | null> {
  const { attempt } = order;
  if (planFor(order).period === 'once') {
    const intent = await oneTimePayment(stripe, order);
    if (!intent && attempt.paymentId) throw new TypeError('the payment is gone');
    return intent
      ? recorded(order, { subscriptionId: null, invoiceId: null, paymentId: intent.id })
      : null;
  }
  const subscription = await subscriptionOf(stripe, order);
  if (!subscription && attempt.subscriptionId) throw new TypeError('the subscription is gone');
  if (!subscription) return null;
  const invoice = await firstInvoice(stripe, order, subscription.id);
  return recorded(order, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    paymentId: attempt.paymentId ?? paymentOf(invoice),
  });
}
