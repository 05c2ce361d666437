import Stripe from 'stripe';
import { type Plan, type PlanId, planFamilies, planOf } from '../../../catalog/plans.ts';
import { differs, type PriceCheck } from '../price-check.ts';
import type { StripeClient } from './client.ts';
import { parseIdMap } from './id-map.ts';

/** Which price of the Stripe account renews which plan (the guide's price is its only charge). */
export type PriceMap = Partial<Record<PlanId, string>>;

const months = { month: 1, quarter: 3 } as const;

/**
 * The variable `STRIPE_PRICES`: a JSON object of plan ids and price ids, such as
 * `{"monthly_usd":"price_1…"}`. Plans that it leaves out are charged by inline prices.
 *
 * @throws {RangeError} when it is no such object
 */
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

/**
 * Whether the Stripe account charges what the catalogue says, for every plan in every currency. One
 * call a price that is named, one after the other.
 *
 * @throws when Stripe does not answer
 */
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
