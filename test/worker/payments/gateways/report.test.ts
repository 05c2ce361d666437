import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { reportGateways } from '../../../../worker/payments/gateways/report.ts';
import { openLine } from '../webhook-fixture.ts';
import { openBraintree } from './braintree/braintree-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const braintree = async (more: object = {}) => (await reportGateways({ ...env, ...more }))[1];
const alone = { ...env, BRAINTREE_PRIVATE_KEY: '' };
const stripe = async (more: object) => (await reportGateways({ ...alone, ...more }))[0];

test('gateway report: without STRIPE_PRICES Stripe is not called', async () => {
  const { line } = openLine();
  expect(await stripe({})).toEqual({
    gateway: 'stripe',
    open: true,
    webhooks: true,
    prices: [],
    unread: null,
  });
  expect(line.calls).toEqual([]);
});

test('gateway report: a missing secret is reported', async () => {
  expect(await stripe({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' })).toMatchObject({
    open: false,
    webhooks: false,
    unread: null,
  });
});

test('gateway report: prices that cannot be read are reported with the reason', async () => {
  const { line } = openLine();
  expect(await stripe({ STRIPE_PRICES: 'not JSON' })).toMatchObject({
    unread: 'STRIPE_PRICES is not JSON',
  });
  line.dead = true;
  expect(await stripe({ STRIPE_PRICES: '{"monthly_usd":"price_1"}' })).toMatchObject({
    unread: 'it did not answer',
  });
});

test('gateway report: Braintree’s plans and discounts are read if it is configured', async () => {
  const { calls } = openBraintree();
  const report = await braintree();
  expect(report).toMatchObject({ gateway: 'braintree', open: true, webhooks: true, unread: null });
  expect(report?.prices).toHaveLength(22);
  for (const missing of ['BRAINTREE_PRIVATE_KEY', 'BRAINTREE_MERCHANT_ID']) {
    expect(await braintree({ [missing]: '' })).toMatchObject({ open: false, prices: [] });
  }
  expect(calls).toHaveLength(2);
});
