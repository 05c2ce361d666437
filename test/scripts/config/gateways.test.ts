import { expect, test } from 'vitest';
import { gateways } from '../../../scripts/config/gateways.ts';
import { world } from '../operations/world.ts';

const stripe = { gateway: 'stripe', open: true, webhooks: true, prices: [], unread: null };
const braintree = { ...stripe, gateway: 'braintree', open: false, webhooks: false };
const price = (plan: string, price: string | null, problems: string[]) => ({
  plan,
  price,
  problems,
});

async function said(...reports: object[]) {
  const { context, said: lines } = world(reports);
  return { well: await gateways(context.site, context.say), lines };
}

test('a plan without a price of its own is well', async () => {
  const prices = [price('monthly_usd', null, ['no price is named']), price('guide', 'price_1', [])];
  expect(await said({ ...stripe, prices }, braintree)).toEqual({
    well: true,
    lines: [
      'provider   takes money  webhooks            prices',
      'stripe             yes       yes  1 named, 0 wrong',
      'braintree           no        no  0 named, 0 wrong',
    ],
  });
});

test('a price that is not the plan’s is listed, and not well', async () => {
  const prices = [price('monthly_usd', 'price_1', ['it is archived', 'amount is 1, not 3999'])];
  const { well, lines } = await said({ ...stripe, prices });
  expect(well).toBe(false);
  expect(lines.at(-1)).toBe('monthly_usd  price_1  it is archived, amount is 1, not 3999');
});

test('prices that could not be read are not well', async () => {
  const { well, lines } = await said({ ...stripe, unread: 'it did not answer' });
  expect([well, lines[1]]).toEqual([false, expect.stringContaining('it did not answer')]);
});
