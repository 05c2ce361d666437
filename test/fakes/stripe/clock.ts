import type { Stripe } from 'stripe';
import { type Context, idOf } from './call.ts';
import { priceAndPlan } from './catalog.ts';
import { debitsDue } from './charge-bank.ts';
import { discounted, runningDiscounts } from './discounts.ts';
import { closeDraft, collect, methodOf } from './invoice-collection.ts';
import { addInvoice } from './invoice-objects.ts';
import { voidInvoice } from './invoices.ts';
import { actionOfSchedule, enterPhase, type ScheduledAction } from './schedules.ts';
import { later, recurringLines } from './subscription-items.ts';

type Cycle = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;

/**
 * The end of the period that begins at a time. Each is counted from the anchor and not from the previous one, so
 * that an anchor on the 31st returns to the 31st after a short month.
 */
function periodEnd(anchor: number, cycle: Cycle, start: number): number {
  let times = 1;
  while (later(anchor, cycle, times) <= start) times += 1;
  return later(anchor, cycle, times);
}

/** When the current period of a subscription ends, Unix seconds. */
export const endOfPeriod = ({ items }: Stripe.Subscription): number =>
  Math.min(...items.data.map((item) => item.current_period_end));

/** When a subscription ends by itself; null while it renews. */
const endOf = (subscription: Stripe.Subscription): number | null =>
  subscription.cancel_at ?? (subscription.cancel_at_period_end ? endOfPeriod(subscription) : null);

/** The offer of an item has ended: it continues at the following price, and bills from here. */
function afterOffer(
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  { state, now }: Context,
): void {
  const trial = item.current_trial;
  if (!trial || now < trial.end_date) return;
  const offer = state.trial_offers[idOf(trial.trial_offer)];
  const price = state.prices[idOf(offer?.end_behavior.transition?.price)];
  if (!price) return;
  Object.assign(item, priceAndPlan(price));
  item.current_trial = null;
  subscription.billing_cycle_anchor = now;
}

const announcementSeconds = 3 * 86_400;

/** "Occurs three days before a subscription's trial period is scheduled to end", or at once in a shorter trial. */
export function announceTrialEnd(
  subscription: Stripe.Subscription,
  { state, now, emit }: Context,
): void {
  const { id, trial_end } = subscription;
  if (trial_end === null || now < trial_end - announcementSeconds) return;
  state.announced_trials[id] = true;
  emit('customer.subscription.trial_will_end', subscription);
}

/**
 * What `trial_settings[end_behavior]` says for a trial that ends without a payment method.
 * https://docs.stripe.com/billing/subscriptions/trials/free-trials#create-free-trials-without-payment
 */
function isEndedWithTrial(subscription: Stripe.Subscription, context: Context): boolean {
  const way = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (subscription.status !== 'trialing' || way === 'create_invoice') return false;
  if (methodOf(subscription, context)) return false;
  if (way === 'cancel') endSubscription(subscription, 'payment_failed', context);
  else {
    subscription.status = 'paused';
    context.emit('customer.subscription.paused', subscription);
  }
  return true;
}

/** A new period begins: its invoice is a draft for an hour, and the subscription counts as active meanwhile. */
export function renew(subscription: Stripe.Subscription, context: Context): void {
  const { now, emit } = context;
  if (isEndedWithTrial(subscription, context)) return;
  enterPhase(subscription, context);
  for (const item of subscription.items.data) {
    afterOffer(subscription, item, context);
    const cycle = item.price.recurring;
    if (!cycle) continue;
    const anchor = subscription.billing_cycle_anchor;
    item.current_period_start = now;
    item.current_period_end = anchor === now ? later(now, cycle) : periodEnd(anchor, cycle, now);
  }
  if (subscription.status === 'trialing') subscription.status = 'active';
  const lines = recurringLines(subscription, false);
  discounted(lines, runningDiscounts(subscription, context.state), context.state);
  addInvoice(subscription, lines, 'subscription_cycle', context);
  emit('customer.subscription.updated', subscription);
}

type Reason = NonNullable<Stripe.Subscription['cancellation_details']>['reason'];

/**
 * Ends a subscription: "upon subscription cancellation, Stripe stops automatic collection of all finalized
 * invoices"; they stay open (docs.stripe.com/api/subscriptions/cancel). Its schedule ends with it, and "can only be
 * released if its status is not_started or active" (docs.stripe.com/api/subscription_schedules/release).
 */
export function endSubscription(
  subscription: Stripe.Subscription,
  reason: Reason,
  { state, now, emit }: Context,
): void {
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason;
  const schedule = state.subscription_schedules[idOf(subscription.schedule)];
  if (schedule?.status === 'active') {
    schedule.status = 'canceled';
    schedule.canceled_at = now;
    emit('subscription_schedule.canceled', schedule);
  }
  for (const invoice of Object.values(state.invoices)) {
    const of = idOf(invoice.parent?.subscription_details?.subscription);
    if (of !== subscription.id || !invoice.auto_advance) continue;
    invoice.auto_advance = false;
    invoice.automatically_finalizes_at = null;
    invoice.next_payment_attempt = null;
    emit('invoice.updated', invoice);
  }
  emit('customer.subscription.deleted', subscription);
}

const firstPaymentSeconds = 23 * 3_600;

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

function actionOfSubscription(
  subscription: Stripe.Subscription,
  { announced_trials }: Context['state'],
): ScheduledAction | null {
  const { id, status, created, cancellation_details, trial_end } = subscription;
  if (status === 'incomplete') {
    return { at: created + firstPaymentSeconds, run: (context) => expire(subscription, context) };
  }
  if (!['trialing', 'active', 'past_due'].includes(status)) return null;
  if (status === 'trialing' && trial_end !== null && !announced_trials[id]) {
    const at = Math.max(created, trial_end - announcementSeconds);
    return { at, run: (context) => announceTrialEnd(subscription, context) };
  }
  const end = endOf(subscription);
  const next = endOfPeriod(subscription);
  if (end !== null && end <= next) {
    const reason = cancellation_details?.reason ?? 'cancellation_requested';
    return { at: end, run: (context) => endSubscription(subscription, reason, context) };
  }
  return { at: next, run: (context) => renew(subscription, context) };
}

function actionOfInvoice(
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
): ScheduledAction | null {
  const { status, automatically_finalizes_at, next_payment_attempt } = invoice;
  if (status === 'draft' && automatically_finalizes_at !== null) {
    return {
      at: automatically_finalizes_at,
      run: (context) => closeDraft(invoice, subscription, context),
    };
  }
  if (status !== 'open' || next_payment_attempt === null) return null;
  return { at: next_payment_attempt, run: (context) => collect(invoice, subscription, context) };
}

function* scheduledActions(state: Context['state']): Generator<ScheduledAction> {
  const { subscriptions, invoices } = state;
  yield* debitsDue(state);
  for (const schedule of Object.values(state.subscription_schedules)) {
    const action = actionOfSchedule(schedule, state);
    if (action) yield action;
  }
  for (const subscription of Object.values(subscriptions)) {
    const action = actionOfSubscription(subscription, state);
    if (action) yield action;
  }
  for (const invoice of Object.values(invoices)) {
    const of = idOf(invoice.parent?.subscription_details?.subscription);
    const action = subscriptions[of] && actionOfInvoice(invoice, subscriptions[of]);
    if (action) yield action;
  }
}

function first(state: Context['state']): ScheduledAction | undefined {
  let found: ScheduledAction | undefined;
  for (const one of scheduledActions(state)) if (!found || one.at < found.at) found = one;
  return found;
}

/**
 * Executes everything that is due, in order, each at its own time.
 * @param now Unix seconds
 * @param at the context for a time, Unix seconds
 */
export function passTime(
  state: Context['state'],
  now: number,
  at: (moment: number) => Context,
): void {
  for (let next = first(state); next && next.at <= now; next = first(state)) {
    next.run(at(next.at));
  }
}
