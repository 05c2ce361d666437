import type { Currency } from '../../catalog/rules/currencies.ts';
import type { Plan, PlanId } from '../../catalog/rules/plans.ts';
import type { Profile } from '../attempts/profile.ts';
import type { OutboxEntry } from '../ledger/purchase-projection.ts';
import type { PlanChange } from '../purchase/change-state.ts';
import type { AbandonedAttempt } from '../purchase/failover.ts';
import { withAttemptDefaults } from '../purchase/new-attempt.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { withSubscriptionDefaults } from '../purchase/subscription.ts';

/**
 * A record as it is stored, queued and sent to the Worker: with the id of its plan, which every build can read, also
 * the one before a roll back.
 */
type WithPlanId<T extends { plan: Plan }> = Omit<T, 'plan'> & { plan: PlanId };

export type StoredAttempt = WithPlanId<Attempt>;
/** As the account's object sends it; one of an older build does not say the currency. */
export type AttemptAnswer = StoredAttempt & { currency?: Currency };
export type StoredChange = WithPlanId<PlanChange>;
export type StoredSubscription = Omit<Subscription, 'plan' | 'nextPlan' | 'raise' | 'paidSince'> & {
  plan: PlanId;
  nextPlan: PlanId | null;
  raise: WithPlanId<NonNullable<Subscription['raise']>> | null;
  paidSince: WithPlanId<NonNullable<Subscription['paidSince']>> | null;
};

/** @throws RangeError for an unknown id */
type PlanOf = (id: string) => Plan;

export type StoredProfile = Omit<Profile, 'abandoned'> & {
  abandoned?: (Omit<AbandonedAttempt, 'attempt'> & { attempt: StoredAttempt })[];
};

export const withPlanId = <T extends { plan: Plan }>(record: T): WithPlanId<T> => ({
  ...record,
  plan: record.plan.id,
});

export const sentAttempt = (attempt: Attempt): AttemptAnswer => ({
  ...withPlanId(attempt),
  currency: attempt.plan.currency,
});

export const storedSubscription = (subscription: Subscription): StoredSubscription => ({
  ...withPlanId(subscription),
  nextPlan: subscription.nextPlan?.id ?? null,
  raise: subscription.raise ? withPlanId(subscription.raise) : null,
  paidSince: subscription.paidSince && withPlanId(subscription.paidSince),
});

export const attemptOf = (stored: StoredAttempt, planOf: PlanOf): Attempt =>
  withAttemptDefaults({ ...stored, plan: planOf(stored.plan) });

export const changeOf = (stored: StoredChange, planOf: PlanOf): PlanChange => ({
  ...stored,
  plan: planOf(stored.plan),
});

export function subscriptionOf(stored: StoredSubscription, planOf: PlanOf): Subscription {
  const known = withSubscriptionDefaults(stored);
  const { plan, nextPlan, raise, paidSince } = known;
  return {
    ...known,
    plan: planOf(plan),
    nextPlan: nextPlan === null ? null : planOf(nextPlan),
    raise: raise ? { ...raise, plan: planOf(raise.plan) } : null,
    paidSince: paidSince && { ...paidSince, plan: planOf(paidSince.plan) },
  };
}

export const plansOf = ({ plan, nextPlan, raise, paidSince }: Subscription): Plan[] =>
  [plan, nextPlan, raise?.plan, paidSince?.plan].flatMap((one) => one ?? []);

export const storedProfile = ({ abandoned, ...profile }: Profile): StoredProfile => ({
  ...profile,
  ...(abandoned && {
    abandoned: abandoned.map((one) => ({ ...one, attempt: withPlanId(one.attempt) })),
  }),
});

export const profileOf = ({ abandoned, ...profile }: StoredProfile, planOf: PlanOf): Profile => ({
  ...profile,
  ...(abandoned && {
    abandoned: abandoned.map((one) => ({ ...one, attempt: attemptOf(one.attempt, planOf) })),
  }),
});

type WithSubscription = Extract<OutboxEntry, { subscription: Subscription }>;
type Planned = Extract<OutboxEntry, { kind: 'attempt' | 'plan_change' }> | WithSubscription;

export type StoredEntry =
  | Exclude<OutboxEntry, Planned>
  | (Omit<Extract<OutboxEntry, { kind: 'attempt' }>, 'attempt'> & { attempt: StoredAttempt })
  | (Omit<Extract<OutboxEntry, { kind: 'plan_change' }>, 'change'> & { change: StoredChange })
  | (Omit<WithSubscription, 'subscription'> & { subscription: StoredSubscription });

export function storedEntry(entry: OutboxEntry): StoredEntry {
  switch (entry.kind) {
    case 'attempt':
      return { ...entry, attempt: withPlanId(entry.attempt) };
    case 'plan_change':
      return { ...entry, change: withPlanId(entry.change) };
    case 'subscription':
    case 'failed_renewal':
      return { ...entry, subscription: storedSubscription(entry.subscription) };
    default:
      return entry;
  }
}

export function entryOf(stored: StoredEntry, planOf: PlanOf): OutboxEntry {
  switch (stored.kind) {
    case 'attempt':
      return { ...stored, attempt: attemptOf(stored.attempt, planOf) };
    case 'plan_change':
      return { ...stored, change: changeOf(stored.change, planOf) };
    case 'subscription':
    case 'failed_renewal':
      return { ...stored, subscription: subscriptionOf(stored.subscription, planOf) };
    default:
      return stored;
  }
}
