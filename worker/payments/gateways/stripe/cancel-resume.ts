import Stripe from 'stripe';
import type { ChargeRequest } from '../../rules/gateway.ts';
import { providerState, stripeStates } from '../../rules/provider-status.ts';
import type { StripeClient } from './client.ts';
import { chargeOf, limit, listAll } from './money.ts';

/**
 * What is not paid now shall never be paid. A draft cannot be voided, so it is kept from going on.
 * Both calls do nothing more when they are repeated, and refuse what was paid meanwhile.
 */
async function stop(stripe: StripeClient, invoice: Stripe.Invoice, key: string): Promise<void> {
  if (invoice.status === 'draft' && invoice.auto_advance) {
    await stripe.invoices.update(
      invoice.id,
      { auto_advance: false },
      { idempotencyKey: `${key}:draft` },
    );
  } else if (invoice.status === 'open') {
    await stripe.invoices.voidInvoice(invoice.id, {}, { idempotencyKey: `${key}:void` });
  }
}

/** Ends a subscription at once; one that is over already stays so. */
export async function endNow(stripe: StripeClient, subscription: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(subscription);
  } catch (error) {
    // The reply to an earlier try was lost: an ended subscription is not found.
    const wrong = error instanceof Stripe.errors.StripeInvalidRequestError;
    if (!wrong || error.code !== 'resource_missing') throw error;
  }
}

/**
 * Stops the renewals of what an active attempt bought; nothing is charged after it. What is paid
 * runs on to its end. Where the running period is not paid (past due, or in the hour before a
 * renewal is charged) the subscription ends at once. Does nothing for a one-time plan; may be
 * repeated.
 *
 * @param askedAt when it was asked for, ms since 1970: asking again after a change of mind is another call
 * @param now ms since 1970. Stripe keeps a reply of 500 under its key for a day, and a day may hold
 * a renewal: so there is a key an hour, for a call that sets the same again
 * @throws when Stripe does not answer
 */
export async function cancel(
  stripe: StripeClient,
  order: ChargeRequest,
  askedAt: number,
  now = Date.now(),
): Promise<void> {
  const { subscriptionId: id } = chargeOf(order);
  if (!id) return;
  const key = `${order.attempt.id}:stop:${askedAt}:${Math.floor(now / 3_600_000)}`;
  const unpaid = async () => {
    const invoices = await listAll(stripe.invoices.list({ subscription: id, limit }));
    return invoices.filter(
      ({ status, auto_advance }) => status === 'open' || (status === 'draft' && auto_advance),
    );
  };
  let found = await stripe.subscriptions.retrieve(id);
  const ended = () => providerState(stripeStates, found.status) === 'ended';
  // One that bills no more never comes to the end of its period.
  const runs = providerState(stripeStates, found.status) !== 'lapsed';
  let open = await unpaid();
  if (open.length === 0 && runs && !ended() && !found.cancel_at_period_end) {
    const change = { cancel_at_period_end: true };
    found = await stripe.subscriptions.update(id, change, { idempotencyKey: key });
    // A renewal may have begun meanwhile.
    open = await unpaid();
  }
  if (open.length === 0 && runs) return;
  if (!ended()) await endNow(stripe, id);
  for (const invoice of open) await stop(stripe, invoice, `${key}:${invoice.id}`);
}
