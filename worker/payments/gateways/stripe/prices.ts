import Stripe from 'stripe';
import { type Plan, type PlanId, planById, planFamilies, planOf } from '../../../catalog/plans.ts';
import { differs, type PriceCheck } from '../price-check.ts';
import type { StripeClient } from './client.ts';

export type PriceMap = Partial<Record<PlanId, string>>;

const months = { month: 1, quarter: 3 } as const;

/** Parses `{"monthly_usd":"price_1…"}`. @param prefix of Stripe's ids @throws {RangeError} */
export function parseIdMap(
  variable: string | undefined,
  name: string,
  prefix: string,
): Partial<Record<PlanId, string>> {
  if (!variable) return {};
  let value: unknown;
  try {
    value = JSON.parse(variable);
  } catch {
    throw new RangeError(`${name} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RangeError(`${name} is not an object`);
  }
  const map: Partial<Record<PlanId, string>> = {};
  for (const [id, stripeId] of Object.entries(value)) {
    const plan = planById(id);
    if (!plan) throw new RangeError(`${name} names no plan of ours: ${id}`);
    if (typeof stripeId !== 'string' || !new RegExp(`^${prefix}_\\w+$`).test(stripeId)) {
      throw new RangeError(`${name} names no ${prefix} for ${id}`);
    }
    map[plan.id] = stripeId;
  }
  return map;
}

/** The variable `STRIPE_PRICES`. Plans that it leaves out are charged by inline prices. */
export function pricesOf(variable: string | undefined): PriceMap {
  return parseIdMap(variable, 'STRIPE_PRICES', 'price');
}

function problemsOf(price: Stripe.Price, plan: Plan): string[] {
  const once = plan.period === 'once';
  return [
    ...(price.active ? [] : ['it is archived']),
    ...differs('amount', price.unit_amount, plan.price),
    ...differs('currency', price.currency, plan.currency.toLowerCase()),
    ...differs('type', price.type, once ? 'one_time' : 'recurring'),
    ...(plan.period === 'once'
      ? []
      : [
          ...differs('interval', price.recurring?.interval, 'month'),
          ...differs('interval_count', price.recurring?.interval_count, months[plan.period]),
          ...differs('usage_type', price.recurring?.usage_type, 'licensed'),
        ]),
  ];
}

async function check(
  stripe: StripeClient,
  plan: Plan,
  id: string | undefined,
): Promise<PriceCheck> {
  if (!id) return { plan: plan.id, price: null, problems: ['no price is named'] };
  try {
    const price = await stripe.prices.retrieve(id);
    return { plan: plan.id, price: id, problems: problemsOf(price, plan) };
  } catch (error) {
    const missing =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (!missing) throw error;
    return { plan: plan.id, price: id, problems: ['it does not exist'] };
  }
}

/** Compares the account's prices with the catalog. One call per price. */
export async function checkPrices(stripe: StripeClient, map: PriceMap): Promise<PriceCheck[]> {
  const checks: PriceCheck[] = [];
  for (const family of planFamilies) {
    for (const currency of ['USD', 'EUR'] as const) {
      const plan = planOf(family, currency);
      checks.push(await check(stripe, plan, map[plan.id]));
    }
  }
  return checks;
}
