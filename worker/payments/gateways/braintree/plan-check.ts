import { monthsOfPeriod, type Plan } from '../../../catalog/rules/plans.ts';
import { differs, type PriceCheck } from '../settings.ts';
import { BraintreeAmbiguousError, type BraintreeConfig, rest } from './client.ts';
import { minorUnits } from './outcome.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

function problemsOf(actual: Xml, { period, price, currency }: Plan): string[] {
  if (period === 'once') return [];
  return [
    ...differs('amount', minorUnits(textOf(actual, 'price'), currency), price),
    ...differs('currency', textOf(actual, 'currency-iso-code'), currency),
    ...differs('billing_frequency', childOf(actual, 'billing-frequency'), monthsOfPeriod[period]),
    // A subscription inherits this from its plan, and would end by itself.
    ...differs(
      'number_of_billing_cycles',
      childOf(actual, 'number-of-billing-cycles') ?? null,
      null,
    ),
  ];
}

async function discountsOf(config: BraintreeConfig): Promise<ReadonlySet<string>> {
  const reply = await rest(config, 'GET /discounts');
  if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`discounts ${reply.kind}`);
  return new Set(listOf(reply.body, 'discounts').map((found) => textOf(found, 'id')));
}

export async function checkPlans(
  config: BraintreeConfig,
  plans: readonly Plan[],
): Promise<PriceCheck[]> {
  const reply = await rest(config, 'GET /plans');
  if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`plans ${reply.kind}`);
  const existing = new Map(
    listOf(reply.body, 'plans').map((found) => [textOf(found, 'id'), found]),
  );
  const discounts = await discountsOf(config);
  return plans
    .filter(({ period }) => period !== 'once')
    .map((plan) => {
      const price = config.planId(plan.id);
      const found = existing.get(price);
      return {
        plan: plan.id,
        price,
        problems: [
          ...(found === undefined ? ['it does not exist'] : problemsOf(found, plan)),
          ...(plan.coupon && !discounts.has(plan.coupon.code)
            ? [`its discount ${plan.coupon.code} does not exist`]
            : []),
        ],
      };
    });
}
