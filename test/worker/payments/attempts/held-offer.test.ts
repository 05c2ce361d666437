import { expect, test } from 'vitest';
import { later } from '../../accounts/account-fixture.ts';
import { post, request } from '../../request.ts';
import { stubStripe } from '../payments-fixture.ts';
import { card, signedInHeaders } from '../purchase-helpers.ts';

const path = '/paycheck1_pr5_h_win';
const intro = 'monthly_5d_usd';
const second = 1000;
const countdown = 300 * second;
const grace = 120 * second;

type Headers = Record<string, string>;

async function termsOf(screen = path): Promise<string> {
  const html = await (await request(screen)).text();
  return /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
}

/** Opens the page with its settings. @returns the seconds that the page still holds the price */
async function open(headers: Headers, terms: string): Promise<number | undefined> {
  const all = { ...headers, 'x-terms': terms };
  const response = await request('/api/v1/users/me/payments-settings', { headers: all });
  return ((await response.json()) as { offer_seconds_left?: number }).offer_seconds_left;
}

async function buy(plan: string, headers: Headers, terms_shown: string | null, nonce?: string) {
  const body = card(nonce, { terms_shown });
  const response = await post(`/users/me/subscriptions/polling/${plan}`, body, headers);
  const { data, errors } = (await response.json()) as {
    data?: { polling_result_id: string };
    errors?: { code: string };
  };
  return errors?.code ?? data?.polling_result_id;
}

test.each([
  ['while the page holds it', countdown - second, false],
  ['a moment later, for a payment under way', countdown + grace - second, false],
  ['after that', countdown + grace + second, true],
])('held offer: the intro is sold %s: refused %o', async (_when, ms, isRefused) => {
  const bank = stubStripe();
  const [headers, terms] = [await signedInHeaders(), await termsOf()];
  expect(await open(headers, terms)).toBe(300);
  later(ms);
  expect((await buy(intro, headers, terms)) === 'offer_ended').toBe(isRefused);
  if (isRefused) expect(bank.captures()).toEqual([]);
});

test('held offer: neither a reload nor another browser starts it again', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  await open(headers, await termsOf());
  later(100 * second);
  expect(await open(headers, await termsOf())).toBeCloseTo(200, 0);
  later(countdown + grace);
  const again = await termsOf();
  expect(await open(headers, again)).toBe(0);
  expect(await buy(intro, headers, again)).toBe('offer_ended');
});

test('held offer: after its end the page’s other plans are sold', async () => {
  stubStripe();
  for (const plan of ['monthly_usd', 'quarterly_usd']) {
    const [headers, terms] = [await signedInHeaders(), await termsOf()];
    await open(headers, terms);
    later(countdown + 2 * grace);
    expect(await buy(plan, headers, terms)).toMatch(/^[\da-f]{64}\./);
  }
});

test('held offer: a payment that began in time is answered after the end', async () => {
  stubStripe();
  const [headers, terms] = [await signedInHeaders(), await termsOf()];
  await open(headers, terms);
  const id = await buy(intro, headers, terms);
  later(countdown + 2 * grace);
  expect(await buy(intro, headers, terms)).toBe(id);
});

test('held offer: without the page’s settings it starts with the first try to buy', async () => {
  stubStripe();
  const [headers, terms] = [await signedInHeaders(), await termsOf()];
  expect(await buy(intro, headers, terms, '')).toBe('malformed_body');
  expect(await buy(intro, headers, terms)).toMatch(/^[\da-f]{64}\./);
  expect(await open(headers, terms)).toBeLessThanOrEqual(300);
});

test('held offer: a stamp that we did not sign, or of a page without an end, starts nothing', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  const terms = await termsOf();
  expect(await open(headers, terms.slice(0, -1))).toBeUndefined();
  const others = await termsOf('/paycheck1_pr5_h_ai');
  expect(others).toContain('monthly_5d');
  expect(await open(headers, others)).toBeUndefined();
  later(countdown + 2 * grace);
  expect(await open(headers, terms)).toBe(300);
  expect(await buy(intro, headers, terms)).toMatch(/^[\da-f]{64}\./);
});
