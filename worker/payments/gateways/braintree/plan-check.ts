import { decimal } from '../../../../locales/format/currency.ts';
import { monthsOfPeriod } from '../../../../locales/format/periods.ts';
import type { Plan } from '../../../catalog/rules/plans.ts';
import { gatewayTraits } from '../../purchase/gateway-traits.ts';
import { differs, type PriceCheck } from '../settings.ts';
import { BraintreeAmbiguousError, type BraintreeConfig, rest } from './client.ts';
import { renewalsDiscount } from './subscription.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

/** Without the price, which each subscription overrides. */
function problemsOf(actual: Xml, { period, currency }: Plan): string[] {
  if (period === 'once') return [];
  return [
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

async function listed(config: BraintreeConfig, name: 'plan' | 'discount') {
  const reply = await rest(config, `GET /${name}s`);
  if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`${name}s ${reply.kind}`);
  return new Map(listOf(reply.body, `${name}s`).map((found) => [textOf(found, 'id'), found]));
}

/** A currency without an account of its own uses the default one, which no call names. */
async function accountProblems(config: BraintreeConfig, currency: Plan['currency']) {
  const id = config.merchantAccount(currency);
  if (!id) return [];
  const reply = await rest(config, `GET /merchant_accounts/${encodeURIComponent(id)}`);
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError('merchant account refused');
  if (reply.kind === 'missing') return [`the merchant account ${id} does not exist`];
  const account = childOf(reply.body, 'merchant-account');
  return [
    ...differs(`the merchant account ${id}`, textOf(account, 'status'), 'active'),
    ...differs(
      `the currency of the merchant account ${id}`,
      textOf(account, 'currency-iso-code'),
      currency,
    ),
  ];
}

/** The required fields, and our id (developer.paypal.com/braintree/docs/reference/request/plan/create). */
const fieldsOf = (id: string, { productId, price, currency, period }: Plan) => ({
  ...{ id, name: productId, price: decimal(price, currency) },
  currency_iso_code: currency,
  billing_frequency: monthsOfPeriod[period],
});

type Fields = ReturnType<typeof fieldsOf>;

const inWords = ({ id, name, price, currency_iso_code, billing_frequency }: Fields) => ({
  plan: `${id} ${price} ${currency_iso_code}`,
  fields: `name “${name}”, billed every ${billing_frequency === 1 ? 'month' : `${billing_frequency} months`}, no end`,
});

/** @returns undefined when the account does not permit it, or another call has created it */
async function createPlan(config: BraintreeConfig, plan: Fields): Promise<Xml | undefined> {
  try {
    const reply = await rest(config, 'POST /plans', { plan });
    return reply.kind === 'done' ? childOf(reply.body, 'plan') : undefined;
  } catch (error) {
    if (error instanceof BraintreeAmbiguousError && error.code === 'http 403') return undefined;
    throw error;
  }
}

async function createMissing(
  config: BraintreeConfig,
  existing: Map<string, Xml>,
  plans: readonly Plan[],
): Promise<Map<string, Xml>> {
  let isComplete = true;
  for (const plan of plans) {
    const id = config.planId(plan.id);
    const made = existing.get(id) ?? (await createPlan(config, fieldsOf(id, plan)));
    if (made) existing.set(id, made);
    else isComplete = false;
  }
  return isComplete ? existing : listed(config, 'plan');
}

/** @param creates creates the plans that do not exist. Idempotent, because we choose their ids */
export async function checkPlans(
  config: BraintreeConfig,
  plans: readonly Plan[],
  creates = false,
): Promise<PriceCheck[]> {
  const { bills } = gatewayTraits.braintree;
  const renewing = plans.filter((plan) => plan.period !== 'once' && bills(plan));
  const currencies = [...new Set(plans.map(({ currency }) => currency))];
  const [found, discounts, ...accounts] = await Promise.all([
    listed(config, 'plan'),
    listed(config, 'discount'),
    ...currencies.map((currency) => accountProblems(config, currency)),
  ]);
  const existing = creates ? await createMissing(config, found, renewing) : found;
  return plans.flatMap((plan) => {
    const account = accounts[currencies.indexOf(plan.currency)] ?? [];
    if (plan.period === 'once') {
      const price = config.merchantAccount(plan.currency) ?? null;
      return account.length > 0 ? [{ plan: plan.id, price, problems: account }] : [];
    }
    const price = config.planId(plan.id);
    if (!bills(plan)) return [{ plan: plan.id, price, problems: ['it renews whole months only'] }];
    const own = existing.get(price);
    const needed = plan.coupon?.code ?? (plan.reduction && renewalsDiscount);
    const problems = [
      ...account,
      ...(own === undefined ? ['it does not exist'] : problemsOf(own, plan)),
      ...(needed && !discounts.has(needed) ? [`its discount ${needed} does not exist`] : []),
    ];
    const missing = own === undefined && { missing: inWords(fieldsOf(price, plan)) };
    return [{ plan: plan.id, price, problems, ...missing }];
  });
}
