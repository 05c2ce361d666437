import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { patience } from '../../poll-timeout.ts';
import { post, refusalOf } from '../request.ts';

const coupons = {
  SPRING: { percent: 10 },
  FIVE: { amount: 500, plans: ['monthly'] },
  OLD: { percent: 50, until: '2020-01-01' },
  FEW: { percent: 20, max_redemptions: 1 },
};

beforeEach(async () => {
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
  const config = { experiment: 'coupons', variants, coupons };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await vi.waitFor(async () => {
    expect((await post('/coupons', { coupon: 'SPRING', plan: 'monthly_usd' })).status).toBe(200);
  }, patience);
});

test('a coupon tells what is left to pay', async () => {
  const response = await post('/coupons', { coupon: ' five ', plan: 'monthly_usd' });
  expect(await response.json()).toEqual({
    data: { code: 'FIVE', plan: 'monthly_usd', discount: 500, price_with_discount: '34.99' },
  });
});

test.each([
  [{ coupon: 'NOPE', plan: 'monthly_usd' }, 422, 'coupon_unknown'],
  [{ coupon: 'OLD', plan: 'monthly_usd' }, 422, 'coupon_expired'],
  [{ coupon: 'FIVE', plan: 'quarterly_usd' }, 422, 'coupon_not_for_plan'],
  [{ coupon: 'SPRING', plan: 'weekly_usd' }, 404, 'unknown_plan'],
  [{ coupon: 5, plan: 'monthly_usd' }, 400, 'malformed_body'],
])('%j is refused', async (body, status, code) => {
  expect((await refusalOf(await post('/coupons', body))).slice(0, 2)).toEqual([status, code]);
});

test('a coupon that is used up says so', async () => {
  const few = { coupon: 'FEW', plan: 'monthly_usd' };
  expect((await post('/coupons', few)).status).toBe(200);
  await env.DB.prepare("INSERT INTO coupon_redemptions VALUES ('FEW', 'a', 1)").run();
  expect((await refusalOf(await post('/coupons', few))).slice(0, 2)).toEqual([
    422,
    'coupon_used_up',
  ]);
});
