import type { Stripe } from 'stripe';
import type { Context } from './call.ts';
import { endSubscription } from './end-subscription.ts';
import { idOf } from './find.ts';
import { closeDraft, collect } from './invoice-collection.ts';
import { endOf, endOfPeriod, renew } from './renewals.ts';
import { voidInvoice } from './voiding.ts';

const PATIENCE = 23 * 3_600;

/** Something that Stripe does by itself; Unix seconds. */
interface Happening {
  at: number;
  play(context: Context): void;
}

/**
 * "If the first invoice is not paid within 23 hours, the subscription transitions to
 * incomplete_expired. This is a terminal status, the open invoice will be voided."
 * https://docs.stripe.com/api/subscriptions/object#subscription_object-status
 */
function expire(subscription: Stripe.Subscription, context: Context): void {
  subscription.status = 'incomplete_expired';
  subscription.ended_at = context.now;
  const invoice = context.state.invoices[idOf(subscription.latest_invoice)];
  if (invoice) voidInvoice(invoice, context);
  context.emit('customer.subscription.updated', subscription);
}

function ofSubscription(subscription: Stripe.Subscription): Happening | null {
  const { status, created, cancellation_details } = subscription;
  if (status === 'incomplete') {
    return { at: created + PATIENCE, play: (context) => expire(subscription, context) };
  }
  if (!['trialing', 'active', 'past_due'].includes(status)) return null;
  const end = endOf(subscription);
  const next = endOfPeriod(subscription);
  if (end !== null && end <= next) {
    const reason = cancellation_details?.reason ?? 'cancellation_requested';
    return { at: end, play: (context) => endSubscription(subscription, reason, context) };
  }
  return { at: next, play: (context) => renew(subscription, context) };
}

function ofInvoice(invoice: Stripe.Invoice, subscription: Stripe.Subscription): Happening | null {
  const { status, automatically_finalizes_at, next_payment_attempt } = invoice;
  if (status === 'draft' && automatically_finalizes_at !== null) {
    return {
      at: automatically_finalizes_at,
      play: (context) => closeDraft(invoice, subscription, context),
    };
  }
  if (status !== 'open' || next_payment_attempt === null) return null;
  return { at: next_payment_attempt, play: (context) => collect(invoice, subscription, context) };
}

function* happenings({ subscriptions, invoices }: Context['state']): Generator<Happening> {
  for (const subscription of Object.values(subscriptions)) {
    const happening = ofSubscription(subscription);
    if (happening) yield happening;
  }
  for (const invoice of Object.values(invoices)) {
    const of = idOf(invoice.parent?.subscription_details?.subscription);
    const happening = subscriptions[of] && ofInvoice(invoice, subscriptions[of]);
    if (happening) yield happening;
  }
}

function first(state: Context['state']): Happening | undefined {
  let found: Happening | undefined;
  for (const one of happenings(state)) if (!found || one.at < found.at) found = one;
  return found;
}

/**
 * Executes everything that is due, in order, each at its own time.
 *
 * @param now Unix seconds
 * @param at what a moment needs, Unix seconds
 */
export function passTime(
  state: Context['state'],
  now: number,
  at: (moment: number) => Context,
): void {
  for (let next = first(state); next && next.at <= now; next = first(state)) {
    next.play(at(next.at));
  }
}
