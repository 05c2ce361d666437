import Stripe from 'stripe';
import { hourMs } from '../../../platform/durations.ts';
import { type ChargeRequest, providerState, stripeStates } from '../../purchase/gateway.ts';
import type { StripeClient } from './client.ts';
import { isBeingDebited } from './debit.ts';
import { releaseSchedule } from './schedule.ts';
import { chargeOf, listAll, pageSize } from './statement.ts';

/**
 * `requestedAt` separates a repeated request from a change of mind. Stripe replays a 500 under its key
 * for a day, in which a renewal may fall, so the key changes every hour; the call sets the same value.
 */
const keyOf = ({ attempt }: ChargeRequest, step: string, requestedAt: number, now: number) =>
  `${attempt.id}:${step}:${requestedAt}:${Math.floor(now / hourMs)}`;

/** A draft cannot be voided. Stripe refuses both calls for an invoice that was paid meanwhile. */
async function stopCollection(stripe: StripeClient, invoice: Stripe.Invoice, key: string) {
  if (invoice.status === 'draft' && invoice.auto_advance) {
    const change = { auto_advance: false };
    await stripe.invoices.update(invoice.id, change, { idempotencyKey: `${key}:draft` });
  } else if (invoice.status === 'open' || invoice.status === 'uncollectible') {
    await stripe.invoices.voidInvoice(invoice.id, {}, { idempotencyKey: `${key}:void` });
  }
}

/**
 * An upgrade that waits for its payment has an open invoice, although the running period is paid. Voiding the invoice
 * discards the upgrade (docs.stripe.com/billing/subscriptions/pending-updates).
 */
async function discardUpgrade(
  stripe: StripeClient,
  subscription: Stripe.Subscription,
  key: string,
) {
  if (!subscription.pending_update) return;
  const list = { subscription: subscription.id, status: 'open', limit: pageSize } as const;
  for (const invoice of await listAll(stripe.invoices.list(list))) {
    const isWaiting = invoice.billing_reason === 'subscription_update';
    if (isWaiting && !(await isBeingDebited(stripe, invoice.id)))
      await stopCollection(stripe, invoice, `${key}:${invoice.id}`);
  }
}

export async function endNow(stripe: StripeClient, subscription: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(subscription);
  } catch (error) {
    // Stripe does not find a subscription that has ended already.
    const invalid = error instanceof Stripe.errors.StripeInvalidRequestError;
    if (!invalid || error.code !== 'resource_missing') throw error;
  }
}

/**
 * The subscription ends with the paid period; at once if the current period is unpaid (past due, or in the
 * hour before a renewal is charged), or was ended early: without proration (docs.stripe.com/api/subscriptions/cancel),
 * because we refund its days. Idempotent. Times in ms since 1970.
 */
export async function cancel(
  stripe: StripeClient,
  request: ChargeRequest,
  requestedAt: number,
  now = Date.now(),
): Promise<void> {
  const { subscriptionId: id } = chargeOf(request);
  if (!id) return;
  const key = keyOf(request, 'stop', requestedAt, now);
  const unpaidInvoices = async () => {
    const invoices = await listAll(stripe.invoices.list({ subscription: id, limit: pageSize }));
    const unpaid: Stripe.Invoice[] = [];
    for (const [at, invoice] of invoices.entries()) {
      // An earlier uncollectible one was followed by a paid one.
      const isOwed = invoice.status === 'open' || (invoice.status === 'uncollectible' && at === 0);
      const isOpen = isOwed && !(await isBeingDebited(stripe, invoice.id));
      if (isOpen || (invoice.status === 'draft' && invoice.auto_advance)) unpaid.push(invoice);
    }
    return unpaid;
  };
  let subscription = await stripe.subscriptions.retrieve(id);
  const hasEnded = () => providerState(stripeStates, subscription.status) === 'ended';
  // Stripe has cancelled the schedule with its subscription, and refuses to release it.
  if (!hasEnded()) await releaseSchedule(stripe, subscription, key);
  await discardUpgrade(stripe, subscription, key);
  // Otherwise it is no longer billed, and never reaches the end of its period.
  const bills = subscription.status !== 'unpaid' && subscription.status !== 'paused';
  let unpaid = await unpaidInvoices();
  if (unpaid.length === 0 && bills && !hasEnded() && !subscription.cancel_at_period_end) {
    const change = { cancel_at_period_end: true };
    subscription = await stripe.subscriptions.update(id, change, { idempotencyKey: key });
    unpaid = await unpaidInvoices();
  }
  const isOver = (request.owned?.earlyEnd?.at ?? Number.POSITIVE_INFINITY) <= now;
  if (unpaid.length === 0 && bills && !isOver) return;
  if (!hasEnded()) await endNow(stripe, id);
  for (const invoice of unpaid) await stopCollection(stripe, invoice, `${key}:${invoice.id}`);
}

/** An empty list removes them (docs.stripe.com/api/subscriptions/update). What was invoiced keeps its discount. */
export async function endReduction(stripe: StripeClient, request: ChargeRequest): Promise<void> {
  const { subscriptionId: id } = chargeOf(request);
  if (!id) return;
  const { discounts, status } = await stripe.subscriptions.retrieve(id);
  if (discounts.length === 0 || providerState(stripeStates, status) === 'ended') return;
  const left = await stripe.subscriptions.update(id, { discounts: '' });
  // The client returns any answer that is not an error.
  if (left.discounts.length > 0) throw new TypeError('the discount stays');
}

export async function resume(
  stripe: StripeClient,
  request: ChargeRequest,
  requestedAt: number,
  now = Date.now(),
): Promise<void> {
  const { subscriptionId: id } = chargeOf(request);
  if (!id) return;
  const subscription = await stripe.subscriptions.retrieve(id);
  const { cancel_at_period_end: atPeriodEnd, cancel_at: at, status } = subscription;
  if (providerState(stripeStates, status) === 'ended' || (!atPeriodEnd && at === null)) return;
  // An operator may have set a date in Stripe's dashboard.
  const change = atPeriodEnd ? { cancel_at_period_end: false } : ({ cancel_at: '' } as const);
  const idempotencyKey = keyOf(request, 'resume', requestedAt, now);
  await stripe.subscriptions.update(id, change, { idempotencyKey });
}
