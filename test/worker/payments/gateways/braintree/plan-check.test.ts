import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import { checkPlans } from '../../../../../worker/payments/gateways/braintree/plan-check.ts';
import { ourPlans } from '../../../../fakes/braintree/merchant-plans.ts';
import { openBraintree } from './braintree-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

test('Braintree plans: a complete account has no problems, by one call for plans and one for discounts', async () => {
  const { calls } = openBraintree();
  const checks = await checkPlans(braintreeCredentials(env));
  expect(checks).toHaveLength(22);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /plans',
    'GET /discounts',
  ]);
});

test('Braintree plans: every difference is reported with its plan and Braintree’s id', async () => {
  const wrong: Record<string, object> = {
    gold: { price: 3899 },
    quarterly_eur: { frequency: 1, currency: 'USD' },
    upsell_monthly_599_usd: { cycles: 12 },
  };
  const plans = ourPlans()
    .filter(({ id }) => id !== 'monthly_7d_usd')
    .map((plan) => (plan.id === 'monthly_usd' ? { ...plan, id: 'gold' } : plan))
    .map((plan) => ({ ...plan, ...wrong[plan.id] }));
  openBraintree({ plans });
  const account = braintreeCredentials({ ...env, BRAINTREE_PLANS: '{"monthly_usd":"gold"}' });
  const checks = await checkPlans(account);
  expect(checks.filter(({ problems }) => problems.length > 0)).toEqual([
    { plan: 'monthly_usd', price: 'gold', problems: ['amount is 3899, not 3999'] },
    {
      plan: 'quarterly_eur',
      price: 'quarterly_eur',
      problems: ['currency is USD, not EUR', 'billing_frequency is 1, not 3'],
    },
    { plan: 'monthly_7d_usd', price: 'monthly_7d_usd', problems: ['it does not exist'] },
    {
      plan: 'upsell_monthly_599_usd',
      price: 'upsell_monthly_599_usd',
      problems: ['number_of_billing_cycles is 12, not none'],
    },
  ]);
});

test('Braintree plans: a coupon without a discount of its code is a problem of its plans', async () => {
  openBraintree({ discounts: [] });
  const checks = await checkPlans(braintreeCredentials(env));
  expect(checks.flatMap(({ plan, problems }) => problems.map((one) => `${plan}: ${one}`))).toEqual(
    ['monthly_usd', 'monthly_eur', 'quarterly_usd', 'quarterly_eur'].map(
      (end) => `upsell_${end.replace('_', '_999_')}: its discount UPSELL30 does not exist`,
    ),
  );
});

test('Braintree plans: without an answer the check throws', async () => {
  openBraintree({ before: () => new Response('', { status: 503 }) });
  await expect(checkPlans(braintreeCredentials(env))).rejects.toThrow('503');
});
