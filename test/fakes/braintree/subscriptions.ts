import type { Sandbox } from './call.ts';
import { discountsOf } from './discounts.ts';
import { Invalid, NotFound } from './errors.ts';
import { minor, newId, type Subscription } from './state.ts';

/** The fields of a request, as JSON brought them. */
export type Fields = Record<string, unknown>;

export const field = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return value === undefined || value === null ? undefined : String(value);
};

const day = 24 * 60 * 60 * 1000;

const dayOfMonth = (at: number) => new Date(at).getUTCDate();

/** A time so many months later, on a day, for which the last one of a shorter month stands in. */
export function monthsLater(at: number, months: number, wanted = dayOfMonth(at)): number {
  const date = new Date(at);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.getTime();
}

const known = new Set([
  'id',
  'payment_method_token',
  'plan_id',
  'price',
  'merchant_account_id',
  'trial_period',
  'trial_duration',
  'trial_duration_unit',
  'discounts',
  'options',
]);
const invalid = (code: string, name: string, text: string) =>
  new Invalid(code, name, text, 'subscription');

/** POST /subscriptions with a free first period. An id that was used answers 81902. */
export function createSubscription(sandbox: Sandbox, fields: Fields): Subscription {
  const { state, now, cycleOf } = sandbox;
  const strange = Object.keys(fields).find((name) => !known.has(name));
  if (strange) throw new Error(`test/fakes/braintree does not implement subscription.${strange}`);
  const id = field(fields, 'id') ?? newId();
  if (!/^[\w-]{1,36}$/.test(id)) throw invalid('81906', 'id', 'ID is invalid.');
  if (state.subscriptions[id]) throw invalid('81902', 'id', 'ID has already been taken.');
  const token = field(fields, 'payment_method_token') ?? '';
  if (!state.methods[token]) {
    throw invalid('91903', 'payment_method_token', 'Payment method token is invalid.');
  }
  const planId = field(fields, 'plan_id') ?? '';
  const cycle = cycleOf(planId);
  if (!cycle) throw invalid('91904', 'plan_id', 'Plan ID is invalid.');
  const duration = Number(field(fields, 'trial_duration'));
  if (field(fields, 'trial_period') !== 'true' || !(duration > 0)) {
    throw invalid('91908', 'trial_duration', 'Trial duration is required.');
  }
  const unit = field(fields, 'trial_duration_unit');
  const first = unit === 'month' ? monthsLater(now(), duration) : now() + duration * day;
  const subscription: Subscription = {
    id,
    token,
    planId,
    merchantAccount: field(fields, 'merchant_account_id') ?? 'funnel_usd',
    price: minor(field(fields, 'price') ?? '0'),
    cycle,
    discounts: discountsOf(sandbox, planId, fields),
    status: 'Active',
    createdAt: now(),
    billingDay: dayOfMonth(first),
    nextBillingAt: first,
    paidThroughAt: first,
    failures: 0,
  };
  state.subscriptions[id] = subscription;
  return subscription;
}

export function findSubscription({ state }: Sandbox, id: string): Subscription {
  const found = state.subscriptions[id];
  if (!found) throw new NotFound(`subscription ${id}`);
  return found;
}

/** PUT /subscriptions/:id/cancel */
export function cancelSubscription(sandbox: Sandbox, id: string): Subscription {
  const subscription = findSubscription(sandbox, id);
  if (subscription.status === 'Canceled') {
    throw invalid('81905', 'status', 'Subscription has already been canceled.');
  }
  subscription.status = 'Canceled';
  sandbox.notify('subscription_canceled', subscription);
  return subscription;
}
