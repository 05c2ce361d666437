import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { pollTimeout } from '../../poll-timeout.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { browserCookies } from '../accounts/browser.ts';
import { post, refusalOf, statusAndCode } from '../request.ts';

const coupons = {
  SPRING: { percent: 10 },
  FIVE: { amount: 500, plans: ['monthly'] },
  OLD: { percent: 50, until: '2020-01-01' },
  FEW: { percent: 20, max_redemptions: 1 },
  MORE: { percent: 25, renewals: 2 },
};

beforeEach(async () => {
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
  await env.FUNNEL.put('config.json', JSON.stringify({ experiment: 'coupons', variants, coupons }));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await vi.waitFor(async () => {
    expect((await post('/coupons', { coupon: 'SPRING', plan: 'monthly_usd' })).status).toBe(200);
  }, pollTimeout);
});

test('coupon API: returns the discounted price', async () => {
  const response = await post('/coupons', { coupon: ' five ', plan: 'monthly_usd' });
  expect(await response.json()).toEqual({
    data: { code: 'FIVE', plan: 'monthly_usd', discount: 500, price_with_discount: '34.99' },
  });
});

test('coupon API: for renewals it says what they cost from when on, as the checkout does', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 31, 12) });
  const response = await post('/coupons', { coupon: 'MORE', plan: 'monthly_usd' });
  vi.useRealTimers();
  expect(await response.json()).toMatchObject({
    data: {
      ...{ discount: 1000, price_with_discount: '29.99', renewals: 2, renewal_discount: 1000 },
      rows: [
        ['February 28', '$29.99 every month'],
        ['April 30', '$39.99 every month'],
      ],
      sentence: 'Then $29.99 every month from February 28 · Then $39.99 every month from April 30',
    },
  });
});

test.each([
  [{ coupon: 'NOPE', plan: 'monthly_usd' }, 422, 'coupon_unknown'],
  [{ coupon: 'OLD', plan: 'monthly_usd' }, 422, 'coupon_expired'],
  [{ coupon: 'FIVE', plan: 'quarterly_usd' }, 422, 'coupon_not_for_plan'],
  [{ coupon: 'SPRING', plan: 'weekly_usd' }, 404, 'plan_unknown'],
  [{ coupon: 5, plan: 'monthly_usd' }, 422, 'coupon_unknown'],
  [{ coupon: 'SPRING', plan: 5 }, 400, 'malformed_body'],
])('coupon API: %j is refused', async (body, status, code) => {
  expect(await statusAndCode(post('/coupons', body))).toEqual([status, code]);
});

const from = (address: string) => ({ 'cf-connecting-ip': address });
const codeOf = async (coupon: string, headers: Record<string, string>) => {
  const response = await post('/coupons', { coupon, plan: 'monthly_usd' }, headers);
  return response.status === 200 ? 'good' : (await refusalOf(response))[1];
};
const guesses = (count: number) => Array.from({ length: count }, (_, at) => `GUESS${at}`);

test('coupon API: an IP address may send twenty wrong codes in ten minutes, also concurrently', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const here = from('198.51.100.1');
  // Valid codes do not count.
  for (let at = 0; at < 25; at += 1) expect(await codeOf('SPRING', here)).toBe('good');
  const codes = await Promise.all(guesses(30).map((wrongCode) => codeOf(wrongCode, here)));
  expect(codes.filter((code) => code === 'coupon_unknown')).toHaveLength(20);
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(10);
  // A valid code must not be distinguishable from the others.
  expect(await codeOf('SPRING', here)).toBe('rate_limited');
  expect(await codeOf('SPRING', from('198.51.100.2'))).toBe('good');
  vi.setSystemTime(1_800_000_000_000 + 10 * 60_000);
  expect(await codeOf('SPRING', here)).toBe('good');
  vi.useRealTimers();
});

test('coupon API: a visitor has the same limit, whatever the IP address', async () => {
  const { cookie } = browserCookies();
  const codes = [];
  for (const [at, wrongCode] of guesses(21).entries())
    codes.push(await codeOf(wrongCode, { cookie, ...from(`198.51.100.${100 + at}`) }));
  expect(codes).toEqual([...Array(20).fill('coupon_unknown'), 'rate_limited']);
});

test('coupon API: after 1,000 wrong codes in an hour operators are alerted and an IP address gets five', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  await env.DB.prepare(
    "INSERT INTO rate_counts (name, used_at) SELECT 'coupon:all', ? FROM json_each(?)",
  )
    .bind(Date.now(), JSON.stringify(Array(1000).fill(0)))
    .run();
  const codes = [];
  for (const wrongCode of guesses(6)) codes.push(await codeOf(wrongCode, from('198.51.100.9')));
  expect(codes).toEqual([...Array(5).fill('coupon_unknown'), 'rate_limited']);
  expect(log.mock.calls.join()).toContain('coupon_guessing_detected');
  log.mockRestore();
});

test('coupon API: codes in purchases count too', async () => {
  const here = from('198.51.100.10');
  const { headers } = await newAccount();
  const buy = async (coupon: string) => {
    const response = await post(
      '/users/me/subscriptions/polling/monthly_usd',
      { gateway: 'stripe', payment_method_nonce: 'pm_card_visa', coupon },
      { ...headers, ...here },
    );
    return (await refusalOf(response))[1];
  };
  const codes = [];
  await env.DB.prepare('DELETE FROM rate_counts').run();
  for (const wrongCode of guesses(21)) codes.push(await buy(wrongCode));
  expect(codes).toEqual([...Array(20).fill('coupon_unknown'), 'rate_limited']);
  expect(await codeOf('SPRING', here)).toBe('rate_limited');
});

test('coupon API: a coupon that was lowered after the page showed it is refused in a purchase', async () => {
  const { headers } = await newAccount();
  const buy = (coupon_discount: number, more = {}) => {
    const card = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa' };
    const coupon = { coupon: 'SPRING', coupon_discount, ...more };
    return post('/users/me/subscriptions/polling/monthly_usd', { ...card, ...coupon }, headers);
  };
  expect(await statusAndCode(buy(2000))).toEqual([409, 'terms_changed']);
  const other = { coupon: 'MORE', coupon_renewals: 3 };
  expect(await statusAndCode(buy(1000, other))).toEqual([409, 'terms_changed']);
  expect((await buy(400)).status).toBe(200);
  // A repeated request for the same attempt is still a retry.
  expect((await buy(2000)).status).toBe(200);
});

test('coupon API: a coupon without redemptions left is refused', async () => {
  const few = { coupon: 'FEW', plan: 'monthly_usd' };
  expect((await post('/coupons', few)).status).toBe(200);
  await env.DB.prepare("INSERT INTO coupon_redemptions VALUES ('FEW', 'a', 1)").run();
  expect(await statusAndCode(post('/coupons', few))).toEqual([422, 'coupon_used_up']);
});
