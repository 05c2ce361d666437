import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../payments/payments-fixture.ts';
import { openLine } from '../payments/webhook-fixture.ts';
import { operate } from '../payments/webhooks/admin-client.ts';

beforeEach(() => void listen());
afterEach(() => void vi.unstubAllGlobals());

test('gateways: reports each provider, and prices that differ from the plan’s', async () => {
  openLine();
  const { data } = await operate('/gateways', undefined, {
    STRIPE_PRICES: '{"monthly_usd":"price_x"}',
  });
  const [stripe, braintree]: { prices: { plan: string; problems: string[] }[] }[] = data;
  expect(stripe).toMatchObject({ gateway: 'stripe', open: true, webhooks: true, unread: null });
  expect(stripe?.prices.find(({ plan }) => plan === 'monthly_usd')).toEqual({
    plan: 'monthly_usd',
    price: 'price_x',
    problems: ['it does not exist'],
  });
  expect(braintree).toMatchObject({ gateway: 'braintree', prices: [] });
});
