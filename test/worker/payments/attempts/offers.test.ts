import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { post, request, statusAndCode } from '../../request.ts';
import { stubStripe } from '../payments-fixture.ts';
import { card, pollingId, pollUntilDone, signedInHeaders } from '../purchase-helpers.ts';

type Headers = Record<string, string>;

const buy = (plan: string, headers: Headers, more: object = {}) =>
  post(`/users/me/subscriptions/polling/${plan}`, card('pm_card_visa', more), headers);

/** The signature on a page for its offers. */
async function termsShownOn(path: string): Promise<string> {
  const html = await (await request(path)).text();
  return /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
}

const refused = [409, 'plan_not_offered'];

test.each(['monthly_7d_usd', 'monthly_3d_usd', 'monthly_eur', 'quarterly_eur'])(
  'offers: a visitor in the US whose arm offers full prices cannot buy %s',
  async (plan) => {
    const fake = stubStripe();
    const buyer = await signedInHeaders();
    for (const more of [{}, { terms_shown: await termsShownOn('/checkout_v3_tr') }])
      expect(await statusAndCode(buy(plan, buyer, more))).toEqual(refused);
    expect(fake.captures()).toEqual([]);
  },
);

test.each(['upsell_monthly_599_usd', 'upsell_quarterly_999_usd', 'guide_899_usd'])(
  'offers: an extra of another arm cannot be bought: %s',
  async (plan) => {
    stubStripe();
    const buyer = await signedInHeaders();
    await pollUntilDone(await pollingId('monthly_usd', card(), buyer));
    const response = await buy(plan, buyer, { payment_method_nonce: null });
    expect(await statusAndCode(response)).toEqual(refused);
  },
);

test('offers: a plan that a page outside the flow shows can be bought on that page, for 24 hours', async () => {
  stubStripe();
  vi.useFakeTimers({ toFake: ['Date'] });
  const terms_shown = await termsShownOn('/paycheck_combo_3d');
  vi.setSystemTime(Date.now() + 23 * 3_600_000);
  expect((await buy('monthly_3d_usd', await signedInHeaders(), { terms_shown })).status).toBe(200);
  vi.setSystemTime(Date.now() + 2 * 3_600_000);
  const late = await buy('monthly_3d_usd', await signedInHeaders(), { terms_shown });
  expect(await statusAndCode(late)).toEqual(refused);
});

test('offers: a signature that names more plans than its page, or another market, sells none of them', async () => {
  const fake = stubStripe();
  const buyer = await signedInHeaders();
  const fingerprint = await termsShownOn('/paycheck_combo_3d');
  for (const [plan, forged] of [
    ['monthly_7d_usd', fingerprint.replace('monthly_3d', 'monthly_7d')],
    ['monthly_3d_eur', fingerprint.replace('|us|', '|euro|')],
    ['monthly_3d_usd', fingerprint.slice(0, -4)],
  ] as const) {
    const answer = await statusAndCode(buy(plan, buyer, { terms_shown: forged }));
    expect([plan, ...answer]).toEqual([plan, ...refused]);
  }
  expect(fake.captures()).toEqual([]);
});

test.each([
  ['version', 0, '0'.repeat(16)],
  ['language', 1, 'de'],
  ['time', 3, 'a'],
  ['time zone', 4, 'Asia/Tokyo'],
  ['list of plans', 5, 'monthly'],
  ['stamp', 6, ''],
] as const)(
  'offers: a signature with another %s sells nothing, not even the current offer',
  async (...one) => {
    const [, place, forged] = one;
    const fake = stubStripe();
    const parts = (await termsShownOn('/checkout_v3_tr')).split('|');
    expect(parts[place]).not.toBe(forged);
    const terms_shown = parts.with(place, forged).join('|');
    expect(
      await statusAndCode(buy('monthly_usd', await signedInHeaders(), { terms_shown })),
    ).toEqual([409, 'terms_changed']);
    expect(fake.captures()).toEqual([]);
  },
);

test('offers: a page that was signed before the secret was replaced still sells', async () => {
  const fake = stubStripe();
  const body = card('pm_card_visa', { terms_shown: await termsShownOn('/paycheck_combo_3d') });
  const path = '/users/me/subscriptions/polling/monthly_3d_usd';
  const replaced = { TOKEN_SECRET: 'n'.repeat(32), TOKEN_SECRET_PREVIOUS: env.TOKEN_SECRET };
  expect((await post(path, body, await signedInHeaders(), replaced)).status).toBe(200);
  await vi.waitFor(() => expect(fake.captures()).toHaveLength(1), pollTimeout);
});

test('offers: a page that was opened before the offer changed still sells the plans it showed', async () => {
  const fake = stubStripe();
  const offers = (plans: string[]) =>
    JSON.stringify({
      experiment: 'offers',
      variants: [{ key: 'intro', weight: 100, flow: 'default' }],
      offers: { intro: { plans, upsell: 'upsell_monthly_999', guide: 'guide_1799' } },
      coupons: {},
    });
  const flows = JSON.stringify({ flows: {}, aliases: {} });
  const now = { CONFIG_CACHE_SECONDS: '0' };
  await env.FUNNEL.put('flows.json', flows);
  await env.FUNNEL.put('config.json', offers(['monthly_5d', 'quarterly']));
  const page = async () => (await request('/checkout_v3_tr', {}, now)).text();
  await vi.waitFor(async () => expect(await page()).toContain('monthly_5d_usd'), pollTimeout);
  const terms_shown = /data-terms="([^"]*)"/.exec(await page())?.[1] ?? '';
  await env.FUNNEL.put('config.json', offers(['monthly', 'quarterly']));
  await vi.waitFor(async () => expect(await page()).not.toContain('monthly_5d_usd'), pollTimeout);
  const buyer = await signedInHeaders();
  expect(await statusAndCode(buy('monthly_5d_usd', buyer))).toEqual(refused);
  expect((await buy('monthly_5d_usd', buyer, { terms_shown })).status).toBe(200);
  await vi.waitFor(() => expect(fake.captures()).toMatchObject([{ amount: 499 }]), pollTimeout);
  await env.FUNNEL.delete('config.json');
  await env.FUNNEL.delete('flows.json');
});
