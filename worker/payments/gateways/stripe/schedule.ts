import type Stripe from 'stripe';
import { type EpochMs, epochMs } from '../../../platform/types.ts';
import type { PlanChange } from '../../purchase/change-state.ts';
import { idOf, type StripeClient } from './client.ts';
import type { StripeRecurrence } from './recurring.ts';

/** A pause begins a minute early, so that the renewal at the same moment is not made first. */
const pauseLeadSeconds = 60;

export const changeKey = ({ id }: Pick<PlanChange, 'id'>, step: string) => ({
  idempotencyKey: `${id}:${step}`,
});

/** While a schedule is attached, Stripe refuses to change when the subscription ends. */
export async function releaseSchedule(
  stripe: StripeClient,
  { schedule }: Pick<Stripe.Subscription, 'schedule'>,
  key: string,
): Promise<void> {
  const id = typeof schedule === 'string' ? schedule : schedule?.id;
  if (!id) return;
  await stripe.subscriptionSchedules.release(id, {}, { idempotencyKey: `${key}:release:${id}` });
}

export async function scheduleOf(
  stripe: StripeClient,
  { schedule }: Pick<Stripe.Subscription, 'schedule'>,
): Promise<Stripe.SubscriptionSchedule | null> {
  return typeof schedule === 'string' ? stripe.subscriptionSchedules.retrieve(schedule) : schedule;
}

/** The pause that a schedule plans or runs; null once it has ended. */
export function pauseOf(schedule: Stripe.SubscriptionSchedule | null) {
  const pause = schedule?.pause_schedules[0];
  return pause?.resume && pause.resume.status.type !== 'succeeded'
    ? { key: pause.key, until: epochMs(pause.resume.resume_at * 1000) }
    : null;
}

/**
 * A pause of the subscription itself: it is neither billed nor renewed, and a new period begins when it ends
 * (docs.stripe.com/billing/subscriptions/pause/schedules). `pause_collection` is for free service: it leaves the
 * subscription active, and creates and voids its invoices (docs.stripe.com/billing/subscriptions/pause-payment).
 */
export async function schedulePause(
  stripe: StripeClient,
  subscription: Stripe.Subscription,
  change: PlanChange,
): Promise<void> {
  const { until } = change;
  if (until === null) throw new RangeError('a pause without an end');
  const attached = await scheduleOf(stripe, subscription);
  if (pauseOf(attached)?.until === until) return;
  await releaseSchedule(stripe, subscription, change.id);
  const at = Math.floor(change.takesEffectAt / 1000) - pauseLeadSeconds;
  await stripe.subscriptionSchedules.create(
    {
      from_subscription: subscription.id,
      end_behavior: 'release',
      pause_schedules: [
        {
          pause: {
            pause_at: { type: 'timestamp', timestamp: at },
            settings: {
              type: 'subscription',
              bill_for: {
                outstanding_usage_through: { type: 'none' },
                unused_time_from: { type: 'none' },
              },
            },
          },
          resume: {
            resume_at: { type: 'timestamp', timestamp: Math.floor(until / 1000) },
            settings: {
              billing_cycle_anchor: 'resume_at',
              payment_behavior: 'resume_on_payment_success',
              proration_behavior: 'none',
            },
          },
        },
      ],
    },
    changeKey(change, 'pause'),
  );
}

/** At its end Stripe charges a whole period; if that fails, the subscription stays paused (`resume_on_payment_success`). */
export async function movePauseEnd(
  stripe: StripeClient,
  schedule: Stripe.SubscriptionSchedule,
  to: EpochMs | 'now',
  idempotencyKey: string,
): Promise<void> {
  const pause = pauseOf(schedule);
  if (!pause) return;
  const resume_at =
    to === 'now'
      ? ({ type: 'now' } as const)
      : ({ type: 'timestamp', timestamp: Math.floor(to / 1000) } as const);
  await stripe.subscriptionSchedules.update(
    schedule.id,
    { pause_schedules: [{ key: pause.key, resume: { resume_at } }] },
    { idempotencyKey },
  );
}

/**
 * "If not set, invoices will use the default payment method in the customer's invoice settings"
 * (docs.stripe.com/api/subscription_schedules/object, `phases`). A phase's own method would outlive a new card.
 */
async function setCustomersMethod(
  stripe: StripeClient,
  { default_payment_method: method, customer }: Stripe.Subscription,
  change: PlanChange,
): Promise<void> {
  if (!method) return;
  const invoice_settings = { default_payment_method: idOf(method) };
  await stripe.customers.update(idOf(customer), { invoice_settings }, changeKey(change, 'method'));
}

type PhaseItem = Pick<Stripe.SubscriptionScheduleUpdateParams.Phase.Item, 'price' | 'price_data'>;

/**
 * Sets another price from the end of the paid period, without a proration
 * (docs.stripe.com/billing/subscriptions/subscription-schedules). A schedule made from the subscription has its
 * running period as first phase.
 */
export async function schedulePrice(
  stripe: StripeClient,
  subscription: Stripe.Subscription,
  { price, duration }: { price: PhaseItem; duration: StripeRecurrence },
  change: PlanChange,
): Promise<void> {
  const attached = await scheduleOf(stripe, subscription);
  if (attached?.metadata?.change_id === change.id) return;
  // A schedule without our metadata and without a pause is this change's own, left unfinished by a crash.
  const isIncomplete = attached && !attached.metadata?.change_id && !attached.pause_schedules[0];
  if (attached && !isIncomplete) await releaseSchedule(stripe, subscription, change.id);
  if (!isIncomplete && subscription.cancel_at_period_end) {
    const keep = { cancel_at_period_end: false };
    await stripe.subscriptions.update(subscription.id, keep, changeKey(change, 'keep'));
  }
  const schedule = isIncomplete
    ? attached
    : await stripe.subscriptionSchedules.create(
        { from_subscription: subscription.id, end_behavior: 'release' },
        changeKey(change, 'schedule'),
      );
  const [running] = schedule.phases;
  if (!running) throw new TypeError('a schedule without a phase');
  await setCustomersMethod(stripe, subscription, change);
  // An update replaces the phases: what it leaves out is unset.
  const automatic_tax = { enabled: subscription.automatic_tax.enabled };
  const discounts = running.discounts.map(({ discount }) => ({ discount: idOf(discount) }));
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: 'release',
      metadata: { change_id: change.id, attempt_id: change.attempt },
      proration_behavior: 'none',
      phases: [
        {
          items: running.items.map((item) => ({ price: idOf(item.price), quantity: 1 })),
          start_date: running.start_date,
          end_date: running.end_date,
          discounts,
          automatic_tax,
        },
        {
          items: [{ ...price, quantity: 1 }],
          duration,
          proration_behavior: 'none',
          // Otherwise Stripe may keep the old cycle, and charge nothing when the phase begins.
          billing_cycle_anchor: 'phase_start',
          discounts,
          automatic_tax,
        },
      ],
    },
    changeKey(change, 'phases'),
  );
}
