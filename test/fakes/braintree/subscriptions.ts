import { decimal } from '../../../locales/format/currency.ts';
import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import { currencies, isBraintreeCurrency } from '../../../worker/catalog/rules/currencies.ts';
import { gatewayTraits } from '../../../worker/payments/purchase/gateway-traits.ts';
import { everywhereCatalog } from '../everywhere-catalog.ts';
import {
  type AppliedDiscount,
  currencyOf,
  Invalid,
  minor,
  NotFound,
  newId,
  type Sandbox,
  type Subscription,
} from './state.ts';

/** The fields of a JSON request. */
export type Fields = Record<string, unknown>;
export const field = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return value === undefined || value === null ? undefined : String(value);
};

const day = 24 * 60 * 60 * 1000;
const dayOfMonth = (at: number) => new Date(at).getUTCDate();

/**
 * "Must be 1-28 or 31. A value of 31 charges on the last day of the month. For dates 29 or 30, use 31"
 * (developer.paypal.com/braintree/graphql/reference/types/recurring-billing-subscription-start-date-input, and
 * `billing_day_of_month` in developer.paypal.com/braintree/docs/reference/request/subscription/create).
 */
const billingDayOf = (first: number) => (dayOfMonth(first) > 28 ? 31 : dayOfMonth(first));

/** A time some months later on a certain day, or on the last day of a shorter month. */
function monthsLater(at: number, months: number, wanted = dayOfMonth(at)): number {
  const date = new Date(at);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.getTime();
}

/** The day of the next bill, however late the last one is paid. */
export const nextBilling = (
  { billedAt, cycle, billingDay }: Pick<Subscription, 'billedAt' | 'cycle' | 'billingDay'>,
  now: number,
): number => monthsLater(billedAt ?? now, cycle, billingDay);

const known = new Set(
  (
    'id payment_method_token plan_id price merchant_account_id trial_period trial_duration ' +
    'trial_duration_unit first_billing_date discounts options'
  ).split(' '),
);

const invalid = (code: string, name: string, text: string) =>
  new Invalid(code, name, text, 'subscription');

function endOfTrial(fields: Fields, now: number): number {
  const duration = Number(field(fields, 'trial_duration'));
  if (field(fields, 'trial_period') !== 'true' || !(duration > 0)) {
    throw invalid('91908', 'trial_duration', 'Trial duration is required.');
  }
  const unit = field(fields, 'trial_duration_unit');
  return unit === 'month' ? monthsLater(now, duration) : now + duration * day;
}

/**
 * "If you create a subscription with a specific billing date in the future, the subscription will start out as
 * Pending." It cannot have a trial as well, and the day may not be in the past (91916, 91917).
 * developer.paypal.com/braintree/docs/guides/recurring-billing/overview#pending
 */
function dayToStart(fields: Fields, date: string, now: number): number {
  const at = Date.parse(`${date}T00:00:00Z`);
  const name = 'first_billing_date';
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(at))
    throw invalid('91915', name, 'First Billing Date is invalid.');
  if (at < now - (now % day))
    throw invalid('91916', name, 'First Billing Date cannot be in the past.');
  if (field(fields, 'trial_period') === 'true')
    throw invalid('91917', name, 'Cannot specify both a trial and a first billing date.');
  return at;
}

/** POST /subscriptions with a free first period, or with a start day. A used id is refused with 81902. */
export function createSubscription(sandbox: Sandbox, fields: Fields): Subscription {
  const { state, now, cycleOf } = sandbox;
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown) throw new Error(`test/fakes/braintree does not implement subscription.${unknown}`);
  const id = field(fields, 'id') ?? newId();
  if (!/^[\w-]{1,36}$/.test(id)) throw invalid('81906', 'id', 'ID is invalid.');
  if (state.subscriptions[id]) throw invalid('81902', 'id', 'ID has already been taken.');
  const token = field(fields, 'payment_method_token') ?? '';
  if (!state.methods[token]) {
    throw invalid('91903', 'payment_method_token', 'Payment method token is invalid.');
  }
  const planId = field(fields, 'plan_id') ?? '';
  const made = sandbox.plans.find((one) => one.id === planId && one.isMade);
  const cycle = made?.frequency ?? cycleOf(planId);
  if (!cycle) throw invalid('91904', 'plan_id', 'Plan ID is invalid.');
  const startsOn = field(fields, 'first_billing_date');
  const first = startsOn ? dayToStart(fields, startsOn, now()) : endOfTrial(fields, now());
  const merchantAccount = field(fields, 'merchant_account_id') ?? 'funnel_usd';
  const subscription: Subscription = {
    id,
    token,
    planId,
    merchantAccount,
    price: minor(field(fields, 'price') ?? '0', currencyOf(merchantAccount)),
    cycle,
    discounts: discountsOf(sandbox, planId, fields, currencyOf(merchantAccount)),
    status: startsOn ? 'Pending' : 'Active',
    createdAt: now(),
    billingDay: billingDayOf(first),
    firstBillingAt: first,
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

/** A discount of the control panel; the API cannot create one. */
export type MerchantDiscount = AppliedDiscount;

/**
 * The discounts of the upsell's coupon and of others. Amount and duration are wrong on purpose, because each
 * subscription has to override them.
 */
export const ourDiscounts = (): MerchantDiscount[] =>
  ['UPSELL30', 'COUPON'].map((id) => ({ id, amount: 100, cycles: 1 }));
const text = (value: unknown) => (value === undefined ? undefined : String(value));
function added(sandbox: Sandbox, fields: Fields, currency: string): AppliedDiscount {
  const base = sandbox.discounts.find(({ id }) => id === text(fields.inherited_from_id));
  if (!base) throw invalid('92013', 'inherited_from_id', 'Inherited From ID is invalid.');
  const amount = text(fields.amount);
  const cycles = text(fields.number_of_billing_cycles);
  if (fields.never_expires && cycles) {
    throw invalid('92018', 'number_of_billing_cycles', 'Cannot have cycles and never expire.');
  }
  return {
    id: base.id,
    amount: amount === undefined ? base.amount : minor(amount, currency),
    cycles: fields.never_expires ? null : cycles === undefined ? base.cycles : Number(cycles),
  };
}

/**
 * The discounts of a new subscription: its plan's, unless refused, and those it adds
 * (developer.paypal.com/braintree/docs/reference/request/subscription/create; codes as in the official client's
 * `validation_error_codes.js`).
 */
function discountsOf(
  sandbox: Sandbox,
  planId: string,
  fields: Fields,
  currency: string,
): AppliedDiscount[] {
  const options = (fields.options ?? {}) as Fields;
  const plan = sandbox.plans.find(({ id }) => id === planId);
  const inherited = options.do_not_inherit_add_ons_or_discounts ? [] : (plan?.discounts ?? []);
  const { add = [] } = (fields.discounts ?? {}) as { add?: Fields[] };
  const all = [
    ...sandbox.discounts.filter(({ id }) => inherited.includes(id)),
    ...add.map((one) => added(sandbox, one, currency)),
  ];
  if (new Set(all.map(({ id }) => id)).size < all.length) {
    throw invalid('91911', 'base', 'Cannot add duplicate add-on or discount.');
  }
  return all;
}

/**
 * The amount of a subscription's next charge. "The duration of the trial period won't count as a billing cycle"
 * (articles.braintreepayments.com/guides/recurring-billing/trial-periods); a discount's cycle "is incremented each time
 * the discount is successfully applied" (developer.paypal.com/braintree/docs/reference/response/discount).
 */
export function nextAmount(
  { state }: Sandbox,
  { id, price, discounts = [] }: Subscription,
): number {
  const charged = Object.values(state.transactions).filter(
    ({ subscription, status }) => subscription === id && status.startsWith('S'),
  ).length;
  const open = discounts.filter(({ cycles }) => cycles === null || charged < cycles);
  return open.reduce((left, { amount }) => Math.max(0, left - amount), price);
}

/** The fields of a discount in lists and subscriptions. */
export const discountFields = ({ id, amount, cycles }: AppliedDiscount, currency = 'USD') => ({
  id,
  name: id,
  kind: 'discount',
  amount: decimal(amount, currency),
  quantity: 1,
  'never-expires': cycles === null,
  'number-of-billing-cycles': cycles,
});

/** A plan of the control panel; the price in minor units. */
export interface MerchantPlan {
  id: string;
  price: number;
  currency: string;
  /** Months. */
  frequency: number;
  /** Cycles after which a subscription ends; null for never. */
  cycles: number | null;
  /** Discounts that its subscriptions inherit. */
  discounts?: readonly string[];
  /** By a call, so that its name says nothing of its period. */
  isMade?: boolean;
}

const planKeys = 'id name price currency_iso_code billing_frequency';

/**
 * POST /plans: name, price, currency_iso_code and billing_frequency are required
 * (developer.paypal.com/braintree/docs/reference/request/plan/create, and `PlanCreateRequest` of the official types).
 */
export function createPlan(sandbox: Sandbox, fields: Fields): MerchantPlan {
  const unknown = Object.keys(fields).find((name) => !planKeys.split(' ').includes(name));
  if (unknown) throw new Error(`test/fakes/braintree does not implement plan.${unknown}`);
  const refuse = (name: string, text: string) => new Invalid('', name, text, 'plan');
  const lacks = planKeys.split(' ').find((name) => name !== 'id' && !field(fields, name));
  if (lacks) throw refuse(lacks, 'is required');
  const id = field(fields, 'id') ?? newId();
  if (sandbox.plans.some((one) => one.id === id)) throw refuse('id', 'has already been taken');
  const currency = field(fields, 'currency_iso_code') ?? '';
  const price = minor(field(fields, 'price') ?? '', currency);
  const frequency = Number(field(fields, 'billing_frequency'));
  if (!Number.isInteger(frequency) || frequency < 1)
    throw refuse('billing_frequency', 'is invalid');
  const plan = { id, price, currency, frequency, cycles: null, isMade: true };
  sandbox.plans.push(plan);
  return plan;
}

/** A plan for each subscription in our catalog. */
export const ourPlans = (): MerchantPlan[] =>
  everywhereCatalog
    .plansIn(currencies.filter(isBraintreeCurrency))
    .filter((plan) => plan.period !== 'once' && gatewayTraits.braintree.bills(plan))
    .map(({ id, price, currency, period }) => ({
      id,
      price,
      currency,
      frequency: monthsOfPeriod[period],
      cycles: null,
    }));

/** The fields of a plan in the list of plans. */
export const planFields = ({
  id,
  price,
  currency,
  frequency,
  cycles,
  discounts,
}: MerchantPlan) => ({
  id,
  'billing-frequency': frequency,
  'currency-iso-code': currency,
  'number-of-billing-cycles': cycles,
  price: decimal(price, currency),
  discounts: { item: 'discount', list: (discounts ?? []).map((name) => ({ id: name })) },
});
