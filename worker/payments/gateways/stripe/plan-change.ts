import type Stripe from 'stripe';
import type { Plan } from '../../../catalog/rules/plans.ts';
import { type EpochMs, minor, paymentIdOf } from '../../../platform/types.ts';
import type { ChangeOutcome, PlanChange, Quote } from '../../purchase/change-state.ts';
import type { ChangeRequest, ChargeRequest } from '../../purchase/gateway.ts';
import { idOf, type StripeClient } from './client.ts';
import type { StripeConfig } from './config.ts';
import { isRefused, outcomeOfError } from './outcome.ts';
import { stripeRecurrence } from './recurring.ts';
import {
  changeKey,
  movePauseEnd,
  pauseOf,
  releaseSchedule,
  scheduleOf,
  schedulePause,
  schedulePrice,
} from './schedule.ts';
import { chargeOf, listAll, pageSize, voidedByUs } from './statement.ts';
import { inclusive, taxOfInvoice } from './tax.ts';

/** The plan's price at Stripe, in the shape of a subscription item, a preview or a phase. */
function priceFor({ prices, product, taxed }: StripeConfig, plan: Plan) {
  if (plan.period === 'once') throw new RangeError(`${plan.id} does not renew`);
  const configured = prices[plan.id];
  if (configured) return { price: configured };
  const recurring = stripeRecurrence(plan.period);
  const currency = plan.currency.toLowerCase();
  return {
    price_data: { currency, product, unit_amount: plan.price, recurring, ...(taxed && inclusive) },
  };
}

const subscriptionIdOf = (request: ChargeRequest) => chargeOf(request).subscriptionId ?? '';

const itemsFor = (config: StripeConfig, { items }: Stripe.Subscription, plan: Plan) => {
  const [item] = items.data;
  if (!item || items.data.length > 1) throw new TypeError('not one item');
  return [{ id: item.id, ...priceFor(config, plan) }];
};

/** The proration is billed at once and counts from `at`, so that the preview and the change agree. */
const prorated = (at: EpochMs) =>
  ({ proration_behavior: 'always_invoice', proration_date: Math.floor(at / 1000) }) as const;

/** docs.stripe.com/billing/subscriptions/prorations#preview-proration */
async function previewOf(
  config: StripeConfig,
  subscription: Stripe.Subscription,
  plan: Plan,
  at: EpochMs,
): Promise<Quote> {
  const { amount_due, lines } = await config.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items: itemsFor(config, subscription, plan), ...prorated(at) },
  });
  const credits = lines.data.filter(({ amount }) => amount < 0);
  const credit = -credits.reduce((sum, { amount }) => sum + amount, 0);
  return { amount: minor(amount_due), credit: minor(credit) };
}

export async function quote(
  config: StripeConfig,
  request: ChargeRequest,
  plan: Plan,
  at: EpochMs,
): Promise<Quote> {
  const subscription = await config.stripe.subscriptions.retrieve(subscriptionIdOf(request));
  return previewOf(config, subscription, plan, at);
}

const failed = (reason: string): ChangeOutcome => ({ kind: 'rejected', reason });

/** @throws if the answer leaves open whether the call was executed */
function refusalOf(error: unknown): ChangeOutcome {
  const outcome = outcomeOfError(error);
  if (outcome.kind === 'declined') return { kind: 'declined' };
  return outcome.kind === 'rejected' ? failed(outcome.reason) : { kind: 'unknown' };
}

const keyOf = (subscription: Stripe.Subscription) => ({
  made: subscription.metadata.change_id,
  pending: subscription.pending_update?.metadata?.change_id,
});

/** Found by time and amount: the subscription's latest invoice is soon a renewal's. */
async function invoiceOf({ stripe }: StripeConfig, request: ChangeRequest) {
  const { amount, quotedAt } = request.change;
  const expand = ['data.payments'];
  const subscription = subscriptionIdOf(request);
  const invoices = await listAll(stripe.invoices.list({ subscription, limit: pageSize, expand }));
  const invoice = invoices.findLast(
    (one) => one.created * 1000 >= quotedAt && one.amount_due === amount && one.status !== 'void',
  );
  const intent = idOf(invoice?.payments?.data[0]?.payment.payment_intent);
  return invoice && intent ? { invoice, intent } : null;
}

/** The completed change, with its charge. */
async function done(config: StripeConfig, request: ChangeRequest): Promise<ChangeOutcome> {
  const { amount } = request.change;
  const found = amount > 0 ? await invoiceOf(config, request) : null;
  if (found?.invoice.status !== 'paid') return { kind: 'done' };
  const tax = taxOfInvoice(found.invoice);
  return { kind: 'done', payment: { id: paymentIdOf(found.intent), amount, tax } };
}

/**
 * The result of an upgrade that was sent. One that waits for its payment is applied when it is paid; voiding its
 * invoice discards it (docs.stripe.com/billing/subscriptions/pending-updates).
 */
async function cancelIfRefused(
  config: StripeConfig,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const { stripe } = config;
  const { change, mayChallenge } = request;
  const { made, pending } = keyOf(await stripe.subscriptions.retrieve(subscriptionIdOf(request)));
  if (made === change.id) return done(config, request);
  // An earlier call discarded it, and its result was not stored.
  if (pending !== change.id) return { kind: 'declined' };
  const found = await invoiceOf(config, request);
  if (!found) return { kind: 'unknown' };
  const intent = await stripe.paymentIntents.retrieve(found.intent);
  if (intent.status === 'succeeded' || intent.status === 'processing') return { kind: 'unknown' };
  if (intent.status === 'requires_action' && mayChallenge)
    return { kind: 'challenge', intentId: intent.id, secret: intent.client_secret ?? '' };
  try {
    await stripe.invoices.voidInvoice(found.invoice.id, {}, changeKey(change, 'void'));
  } catch (error) {
    // The invoice was paid meanwhile.
    if (isRefused(error)) return { kind: 'unknown' };
    throw error;
  }
  return { kind: 'declined' };
}

/** `pending_if_incomplete`: the plan changes when the payment succeeds, also after the bank's challenge. */
async function upgrade(
  config: StripeConfig,
  request: ChangeRequest,
  subscription: Stripe.Subscription,
): Promise<ChangeOutcome> {
  const { change, recordChange, mayStart } = request;
  const { made, pending } = keyOf(subscription);
  if (made === change.id || pending === change.id) return cancelIfRefused(config, request);
  if (!mayStart) return { kind: 'none' };
  const { plan } = change;
  try {
    await releaseSchedule(config.stripe, subscription, change.id);
    // Repeats the call to get its saved answer, if the call may have been executed.
    if (change.state === 'open') {
      const { amount } = await previewOf(config, subscription, plan, change.quotedAt);
      if (amount !== change.amount) return failed('another amount');
    }
    recordChange({ sentAt: Date.now() });
    await config.stripe.subscriptions.update(
      subscription.id,
      {
        items: itemsFor(config, subscription, plan),
        ...prorated(change.quotedAt),
        payment_behavior: 'pending_if_incomplete',
        metadata: { change_id: change.id, plan: plan.id },
      },
      changeKey(change, 'upgrade'),
    );
  } catch (error) {
    return refusalOf(error);
  }
  return cancelIfRefused(config, request);
}

/** Removes a pause that has not begun, or ends a running one now, with the charge for a whole period. */
async function resume(
  config: StripeConfig,
  request: ChangeRequest,
  subscription: Stripe.Subscription,
): Promise<ChangeOutcome> {
  const { stripe } = config;
  const { change, recordChange, mayStart } = request;
  const schedule = await scheduleOf(stripe, subscription);
  const pause = pauseOf(schedule);
  if (!schedule || !pause) return done(config, request);
  if (change.amount === 0) {
    if (!mayStart) return { kind: 'none' };
    await releaseSchedule(stripe, subscription, change.id);
    return { kind: 'done' };
  }
  if (subscription.status !== 'paused') return done(config, request);
  const plannedEnd = change.until ?? pause.until;
  if (!mayStart && pause.until === plannedEnd) return { kind: 'none' };
  recordChange({ sentAt: Date.now() });
  await movePauseEnd(stripe, schedule, 'now', changeKey(change, 'resume').idempotencyKey);
  const now = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  if (now.status !== 'paused') return done(config, request);
  // After a declined resumption nothing may be charged later, and the pause continues as planned.
  const invoice = now.latest_invoice;
  if (invoice && typeof invoice !== 'string' && invoice.status === 'open') {
    await stripe.invoices.update(invoice.id, { metadata: voidedByUs }, changeKey(change, 'mark'));
    await stripe.invoices.voidInvoice(invoice.id, {}, changeKey(change, 'void'));
  }
  const key = changeKey(change, 'stay').idempotencyKey;
  await movePauseEnd(stripe, schedule, plannedEnd, key);
  return { kind: 'declined' };
}

/**
 * "Introducing a trial results in setting the anchor to the end of the trial"; without a proration nothing is credited
 * for the days that were paid (docs.stripe.com/billing/subscriptions/billing-cycle).
 */
const moveCycle = (stripe: StripeClient, id: string, change: PlanChange) =>
  stripe.subscriptions.update(
    id,
    { trial_end: Math.floor(change.next.at / 1000), proration_behavior: 'none' },
    changeKey(change, 'restart'),
  );

/** Each step reads from Stripe first, in case its call is no longer needed. Idempotent. */
export async function changePlan(
  config: StripeConfig,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const { stripe } = config;
  const { change, mayStart } = request;
  const subscription = await stripe.subscriptions.retrieve(subscriptionIdOf(request));
  const { kind } = change;
  if (kind === 'upgrade') return upgrade(config, request, subscription);
  if (kind === 'resume') return resume(config, request, subscription);
  if (!mayStart && change.state === 'open') return { kind: 'none' };
  request.recordChange({ sentAt: Date.now() });
  try {
    switch (kind) {
      case 'pause':
        await schedulePause(stripe, subscription, change);
        break;
      case 'raise':
      case 'switch': {
        const { plan } = change;
        const price = priceFor(config, plan);
        if (plan.period === 'once') throw new RangeError(`${plan.id} does not renew`);
        const duration = stripeRecurrence(plan.period);
        await schedulePrice(stripe, subscription, { price, duration }, change);
        break;
      }
      case 'continue':
        await releaseSchedule(stripe, subscription, change.id);
        break;
      case 'restart':
        await releaseSchedule(stripe, subscription, change.id);
        await moveCycle(stripe, subscription.id, change);
        break;
      case 'agree':
        break;
      default:
        return kind satisfies never;
    }
    return { kind: 'done' };
  } catch (error) {
    return refusalOf(error);
  }
}
