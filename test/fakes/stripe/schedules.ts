import type { Stripe } from 'stripe';
import {
  type Call,
  type Context,
  find,
  idOf,
  invalid,
  notImplemented,
  only,
  Refused,
} from './call.ts';
import { priceAndPlan } from './catalog.ts';
import { charge } from './charge-card.ts';
import { addPaymentIntent } from './charges.ts';
import { discounted, runningDiscounts } from './discounts.ts';
import { addInvoice, finalize, linkPayment } from './invoice-objects.ts';
import { flag, group, groups, metadata, type Params, text, whole } from './params.ts';
import { newId, nulls, type StripeState } from './state.ts';
import { hasSameCycle, later, priceOf, recurringLines } from './subscription-items.ts';

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Schedule['phases'][number];

/** The schedule attached to a subscription. */
const attachedTo = ({ schedule }: Stripe.Subscription, { subscription_schedules }: StripeState) =>
  subscription_schedules[idOf(schedule)];

/** The planned or running pause of a schedule. */
const pauseOf = (schedule: Schedule | undefined) => schedule?.pause_schedules[0];

function resumeAt(params: Params, now: number): number {
  const at = group(params, 'resume_at');
  return text(at, 'type') === 'now' ? now : whole(at, 'timestamp', 0);
}

/** https://docs.stripe.com/billing/subscriptions/pause/schedules */
function pauseFrom(entry: Params, now: number): Schedule['pause_schedules'][number] {
  const pause = group(entry, 'pause');
  const resume = group(entry, 'resume');
  const settings = group(pause, 'settings');
  const unused = text(group(group(settings, 'bill_for'), 'unused_time_from'), 'type');
  if (unused !== 'none') throw notImplemented('a pause that credits unused time');
  const pause_at = whole(group(pause, 'pause_at'), 'timestamp', now);
  const resume_at = resumeAt(resume, now);
  if (pause_at < now || resume_at <= pause_at) throw invalid('The pause is in the past.');
  return {
    key: newId('pause'),
    pause: { pause_at, settings: null, status: { type: 'scheduled' } },
    resume: {
      resume_at,
      settings: {
        billing_cycle_anchor:
          text(group(resume, 'settings'), 'billing_cycle_anchor') ?? 'resume_at',
        payment_behavior: 'resume_on_payment_success',
        proration_behavior: 'none',
      },
      status: { type: 'scheduled' },
    },
  };
}

type Settings = Pick<Phase, 'default_payment_method' | 'automatic_tax'>;

const nullsOfPhase = [
  'application_fee_percent billing_cycle_anchor billing_thresholds collection_method description',
  'invoice_settings on_behalf_of transfer_data trial_end',
] as const;

const phaseOf = (
  items: Stripe.Price[],
  currency: string,
  start_date: number,
  end_date: number,
  discounts: string[],
  settings: Settings,
): Phase => ({
  ...settings,
  ...nulls(...nullsOfPhase),
  add_invoice_items: [],
  currency,
  items: items.map(({ id }) => ({
    ...{
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: id,
      price: id,
      quantity: 1,
    },
  })),
  metadata: {},
  proration_behavior: 'none',
  start_date,
  end_date,
  discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
});

/**
 * POST /subscription_schedules from a subscription: its current period becomes the first phase. With
 * `from_subscription` only a pause can be set.
 * https://docs.stripe.com/api/subscription_schedules/create
 */
export function createSchedule(call: Call): Schedule {
  const { params, state, now } = call;
  only(
    params,
    ['from_subscription', 'pause_schedules', 'end_behavior'],
    'subscriptionSchedules.create',
  );
  const from = text(params, 'from_subscription') ?? '';
  const subscription = find(state.subscriptions, 'subscription', from, 'from_subscription');
  if (attachedTo(subscription, state)) {
    throw invalid(
      'You cannot migrate a subscription that is already attached to a schedule.',
      undefined,
      'from_subscription',
    );
  }
  if (subscription.cancel_at_period_end || ['canceled', 'incomplete'].includes(subscription.status))
    throw invalid('You cannot migrate a subscription that ends.', undefined, 'from_subscription');
  const [item] = subscription.items.data;
  if (!item) throw invalid('No items.');
  const schedule: Schedule = {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    created: now,
    current_phase: { start_date: item.current_period_start, end_date: item.current_period_end },
    customer: idOf(subscription.customer),
    default_settings: {
      billing_cycle_anchor: 'automatic',
      collection_method: 'charge_automatically',
      invoice_settings: {
        ...nulls('account_tax_ids custom_fields days_until_due description footer'),
        issuer: { type: 'self' },
      },
      ...nulls('application_fee_percent billing_thresholds default_payment_method description'),
      ...nulls('on_behalf_of transfer_data'),
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: groups(params, 'pause_schedules').map((entry) => pauseFrom(entry, now)),
    phases: [
      phaseOf(
        [item.price],
        subscription.currency,
        item.current_period_start,
        item.current_period_end,
        subscription.discounts.map(idOf),
        {
          default_payment_method: subscription.default_payment_method,
          automatic_tax: subscription.automatic_tax,
        },
      ),
    ],
    ...nulls('application canceled_at completed_at customer_account released_at test_clock'),
    billing_mode: subscription.billing_mode,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
  };
  state.subscription_schedules[schedule.id] = schedule;
  subscription.schedule = schedule.id;
  call.emit('subscription_schedule.created', schedule);
  return schedule;
}

export const retrieveSchedule = ({ state, id }: Call): Schedule =>
  find(state.subscription_schedules, 'subscription_schedule', id);

/** The phases of an update: the current one unchanged, then others with their own lengths. */
function phasesFrom(call: Call, before: Phase): Phase[] {
  let start = before.start_date;
  return groups(call.params, 'phases').map((entry, i) => {
    const at = `phases[${i}]`;
    const prices = groups(entry, 'items').map((item) => priceOf(item, call, at));
    const length = group(entry, 'duration');
    const cycle = {
      interval: (text(length, 'interval') ?? 'month') as 'month',
      interval_count: whole(length, 'interval_count', 1),
    };
    const end = whole(entry, 'end_date', 0) || later(start, cycle);
    const discounts = groups(entry, 'discounts').map((one) => text(one, 'discount') ?? '');
    const phase = phaseOf(prices, before.currency, start, end, discounts, {
      default_payment_method: text(entry, 'default_payment_method') ?? null,
      automatic_tax: {
        disabled_reason: null,
        enabled: flag(group(entry, 'automatic_tax'), 'enabled'),
        liability: null,
      },
    });
    start = end;
    return phase;
  });
}

/**
 * A subscription has the settings of its phase, and an update replaces all phases: what it leaves out is unset
 * (github.com/bitwarden/server/pull/8078). Without a method of its own, "invoices will use the default payment method
 * in the customer's invoice settings" (docs.stripe.com/api/subscription_schedules/object, `phases`).
 */
function applySettings(
  subscription: Stripe.Subscription | undefined,
  { default_payment_method: method, automatic_tax: tax }: Settings,
): void {
  if (!subscription) return;
  subscription.default_payment_method = method;
  if (subscription.automatic_tax) subscription.automatic_tax.enabled = tax?.enabled ?? false;
}

/** POST /subscription_schedules/:id: its phases, or the end of its pause. */
export function updateSchedule(call: Call): Schedule {
  const { params, state, now } = call;
  const known = ['phases', 'metadata', 'end_behavior', 'proration_behavior', 'pause_schedules'];
  only(params, known, 'subscriptionSchedules.update');
  const schedule = retrieveSchedule(call);
  if (schedule.status !== 'active') throw invalid('This schedule is not active.');
  schedule.metadata = metadata(params, schedule.metadata ?? {});
  const [first] = schedule.phases;
  if (params.phases !== undefined && first) {
    schedule.phases = phasesFrom(call, first);
    const [running = first] = schedule.phases;
    applySettings(state.subscriptions[idOf(schedule.subscription)], running);
  }
  const [entry] = groups(params, 'pause_schedules');
  const pause = pauseOf(schedule);
  if (entry) {
    if (!pause?.resume || text(entry, 'key') !== pause.key)
      throw invalid('No such pause schedule.');
    pause.resume.resume_at = resumeAt(group(entry, 'resume'), now);
    pause.resume.status = { type: 'scheduled' };
    const subscription = state.subscriptions[idOf(schedule.subscription)];
    if (subscription?.status === 'paused' && pause.resume.resume_at <= now)
      resume(subscription, schedule, call);
  }
  call.emit('subscription_schedule.updated', schedule);
  return schedule;
}

/** POST /subscription_schedules/:id/release: the subscription continues unchanged. */
export function releaseByCall(call: Call): Schedule {
  const schedule = retrieveSchedule(call);
  if (schedule.status !== 'active') {
    throw invalid(`You cannot release a schedule that is ${schedule.status}.`);
  }
  release(schedule, call);
  return schedule;
}

function release(schedule: Schedule, { state, now, emit }: Context): void {
  const subscription = state.subscriptions[idOf(schedule.subscription)];
  schedule.status = 'released';
  schedule.released_at = now;
  schedule.released_subscription = idOf(schedule.subscription);
  schedule.subscription = null;
  if (subscription) subscription.schedule = null;
  emit('subscription_schedule.released', schedule);
}

/**
 * The resumption's invoice is finalized at once, and the subscription "stays paused until payment succeeds, and Stripe
 * retries failed payments" (docs.stripe.com/changelog/dahlia/2026-05-27/pause-subscriptions).
 */
function resume(subscription: Stripe.Subscription, schedule: Schedule, context: Context): void {
  const { state, now } = context;
  const pause = pauseOf(schedule);
  const [item] = subscription.items.data;
  if (!pause?.resume || !item?.price.recurring) return;
  const before = { start: item.current_period_start, end: item.current_period_end };
  item.current_period_start = now;
  item.current_period_end = later(now, item.price.recurring);
  const lines = recurringLines(subscription, false);
  item.current_period_start = before.start;
  item.current_period_end = before.end;
  discounted(lines, runningDiscounts(subscription, state), state);
  const invoice = addInvoice(subscription, lines, 'subscription_cycle', context);
  finalize(invoice, context);
  const intent = addPaymentIntent(
    {
      amount: invoice.amount_due,
      created: now,
      currency: invoice.currency,
      customer: subscription.customer,
      description: 'Subscription update',
      payment_method: null,
    },
    state,
  );
  linkPayment(invoice, intent, context);
  const usual = state.customers[idOf(subscription.customer)]?.invoice_settings;
  const named = idOf(subscription.default_payment_method) || idOf(usual?.default_payment_method);
  const method = state.payment_methods[named];
  pause.resume.status = { type: 'requires_action' };
  try {
    if (method) charge(intent, method, { offSession: true, authenticated: false }, context);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** An action that Stripe takes by itself; Unix seconds. */
export interface ScheduledAction {
  at: number;
  run(context: Context): void;
}

/** Automatic actions of a schedule: pausing and resuming. */
export function actionOfSchedule(schedule: Schedule, state: StripeState): ScheduledAction | null {
  const subscription = state.subscriptions[idOf(schedule.subscription)];
  const pause = pauseOf(schedule);
  if (schedule.status !== 'active' || !subscription || !pause?.resume) return null;
  if (subscription.status === 'active' && pause.pause.status.type === 'scheduled') {
    return {
      at: pause.pause.pause_at,
      run({ emit }) {
        subscription.status = 'paused';
        pause.pause.status = { type: 'succeeded' };
        emit('customer.subscription.paused', subscription);
      },
    };
  }
  if (subscription.status !== 'paused' || pause.resume.status.type !== 'scheduled') return null;
  const run = (context: Context) => resume(subscription, schedule, context);
  return { at: pause.resume.resume_at, run };
}

/** The phase that begins with a renewal, with its price, discounts and billing cycle. */
export function enterPhase(subscription: Stripe.Subscription, context: Context): void {
  const { state, now } = context;
  const schedule = attachedTo(subscription, state);
  const [item] = subscription.items.data;
  if (!schedule || !item) return;
  const phase = schedule.phases.find(
    ({ start_date: from, end_date: to }) => from <= now && now < to,
  );
  const price = state.prices[idOf(phase?.items[0]?.price)];
  if (!phase || !price) {
    // "release: the schedule ends and the subscription keeps running."
    if (schedule.pause_schedules.length === 0) release(schedule, context);
    return;
  }
  schedule.current_phase = { start_date: phase.start_date, end_date: phase.end_date };
  applySettings(subscription, phase);
  if (price.id === item.price.id) return;
  const isOtherCycle = !hasSameCycle(price, item.price);
  Object.assign(item, priceAndPlan(price));
  if (isOtherCycle) subscription.billing_cycle_anchor = now;
}
