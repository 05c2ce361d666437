import Stripe from 'stripe';
import type { Plan, PlanId, RenewingPeriod } from '../../../catalog/rules/plans.ts';
import { dayMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import { jsonIn } from '../../../platform/read-json.ts';
import { differs, type PriceCheck, type RetryCheck } from '../settings.ts';
import { usesStripeTax } from '../tax-settings.ts';
import { idOf, type StripeClient, stripeClient } from './client.ts';
import { stripeRecurrence } from './recurring.ts';
import { maxObjects, pageSize } from './statement.ts';

export type PriceMap = Partial<Record<PlanId, string>>;

function parseIdMap(
  variable: string | undefined,
  name: string,
  prefix: string,
): Partial<Record<PlanId, string>> {
  if (!variable) return {};
  const value = jsonIn(variable);
  if (value === undefined) throw new RangeError(`${name} is not JSON`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RangeError(`${name} is not an object`);
  }
  const map: Partial<Record<PlanId, string>> = {};
  for (const [id, stripeId] of Object.entries(value)) {
    if (typeof stripeId !== 'string' || !new RegExp(`^${prefix}_\\w+$`).test(stripeId)) {
      throw new RangeError(`${name} names no ${prefix} for ${id}`);
    }
    map[id] = stripeId;
  }
  return map;
}

export function pricesOf(variable: string | undefined): PriceMap {
  return parseIdMap(variable, 'STRIPE_PRICES', 'price');
}

/** A price keeps its tax behavior for good (docs.stripe.com/api/prices/update). */
const taxProblem = ({ tax_behavior }: Stripe.Price, taxed: boolean): string[] =>
  taxed ? differs('tax_behavior', tax_behavior, 'inclusive') : [];

function recurrenceProblems(
  { recurring }: Stripe.Price,
  period: RenewingPeriod,
  when = '',
): string[] {
  const { interval, interval_count } = stripeRecurrence(period);
  return [
    ...differs(`interval${when}`, recurring?.interval, interval),
    ...differs(`interval_count${when}`, recurring?.interval_count, interval_count),
  ];
}

function problemsOf(price: Stripe.Price, plan: Plan, taxed: boolean): string[] {
  const once = plan.period === 'once';
  return [
    ...(price.active ? [] : ['it is archived']),
    ...differs('amount', price.unit_amount, plan.price),
    ...differs('currency', price.currency, plan.currency.toLowerCase()),
    ...differs('type', price.type, once ? 'one_time' : 'recurring'),
    ...taxProblem(price, taxed),
    ...(plan.period === 'once'
      ? []
      : [
          ...recurrenceProblems(price, plan.period),
          ...differs('usage_type', price.recurring?.usage_type, 'licensed'),
        ]),
  ];
}

const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

async function check(
  stripe: StripeClient,
  plan: Plan,
  id: string | undefined,
  taxed: boolean,
): Promise<PriceCheck> {
  if (!id) return { plan: plan.id, price: null, problems: ['no price is named'] };
  try {
    const price = await stripe.prices.retrieve(id);
    return { plan: plan.id, price: id, problems: problemsOf(price, plan, taxed) };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { plan: plan.id, price: id, problems: ['it does not exist'] };
  }
}

export async function checkPrices(
  stripe: StripeClient,
  map: PriceMap,
  plans: readonly Plan[],
  taxed = false,
): Promise<PriceCheck[]> {
  const checks: PriceCheck[] = [];
  for (const plan of plans) checks.push(await check(stripe, plan, map[plan.id], taxed));
  return checks;
}

export type OfferMap = Partial<Record<PlanId, string>>;

/**
 * The variable `STRIPE_TRIAL_OFFERS`. An intro without an entry is a trial with an invoice item
 * (docs.stripe.com/billing/subscriptions/trials).
 */
export const offersOf = (variable: string | undefined): OfferMap =>
  parseIdMap(variable, 'STRIPE_TRIAL_OFFERS', 'to');

const daysIn: Partial<Record<string, number>> = { day: 1, week: 7 };

async function offerProblems(
  stripe: StripeClient,
  offer: Stripe.ProductCatalog.TrialOffer,
  plan: Plan,
  taxed: boolean,
) {
  const intro = await stripe.prices.retrieve(idOf(offer.price));
  const after = await stripe.prices.retrieve(idOf(offer.end_behavior.transition?.price));
  const currency = plan.currency.toLowerCase();
  const { interval = '', interval_count = 0 } = intro.recurring ?? {};
  const length =
    (daysIn[interval] ?? 0) * interval_count * (offer.duration.relative?.iterations ?? 1);
  return [
    ...(offer.active ? [] : ['it is archived']),
    ...differs('amount of the intro', intro.unit_amount, plan.today),
    ...differs('currency of the intro', intro.currency, currency),
    ...differs('days of the intro', length, plan.introDays),
    ...differs('amount after it', after.unit_amount, plan.price),
    ...differs('currency after it', after.currency, currency),
    ...(plan.period === 'once' ? [] : recurrenceProblems(after, plan.period, ' after it')),
    ...[intro, after].flatMap((price) => taxProblem(price, taxed)),
  ];
}

export async function checkOffers(
  stripe: StripeClient,
  map: OfferMap,
  plans: readonly Plan[],
  taxed = false,
): Promise<PriceCheck[]> {
  const checks: PriceCheck[] = [];
  for (const [id, offerId] of Object.entries(map)) {
    const check = { plan: id, price: offerId ?? null };
    const plan = plans.find((one) => one.id === id);
    if (!offerId || !plan?.introDays) {
      checks.push({ ...check, problems: ['no plan with an intro that is sold has this id'] });
      continue;
    }
    try {
      const offer = await stripe.productCatalog.trialOffers.retrieve(offerId);
      checks.push({ ...check, problems: await offerProblems(stripe, offer, plan, taxed) });
    } catch (error) {
      if (!isMissing(error)) throw error;
      checks.push({ ...check, problems: ['it does not exist'] });
    }
  }
  return checks;
}

/** All that the variables name. @throws {RangeError} for an unreadable variable */
export async function checkConfiguredPrices(
  env: Env,
  plans: readonly Plan[],
): Promise<PriceCheck[]> {
  const stripe = stripeClient(env);
  const map = pricesOf(env.STRIPE_PRICES);
  const taxed = usesStripeTax(env);
  const offers = await checkOffers(stripe, offersOf(env.STRIPE_TRIAL_OFFERS), plans, taxed);
  if (Object.keys(map).length === 0) return offers;
  return [...(await checkPrices(stripe, map, plans, taxed)), ...offers];
}

/**
 * No API returns the settings (docs.stripe.com/billing/revenue-recovery/smart-retries: "configure subscription
 * retries in your Dashboard"), but an unpaid invoice has the time of its next retry.
 */
export async function checkRetries(stripe: StripeClient, now: number): Promise<RetryCheck> {
  const list = stripe.invoices.list({ status: 'open', limit: pageSize });
  // The newest show the settings as well as all of a large site.
  const open = await list.autoPagingToArray({ limit: maxObjects });
  const failed = open.filter(({ attempted, parent }) => attempted && parent?.subscription_details);
  const next = failed.flatMap(({ next_payment_attempt: at }) => (at === null ? [] : [at * 1000]));
  const furthest = Math.max(0, ...next);
  return {
    settings: 'https://dashboard.stripe.com/revenue_recovery/retries',
    planned: next.length,
    unplanned: failed.length - next.length,
    furthestDays: furthest > 0 ? Math.round((furthest - now) / dayMs) : null,
  };
}
