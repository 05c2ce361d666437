import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { CountInput } from '../../../worker/analytics/rules/count.ts';
import { consentValue } from '../../../worker/visitor/rules/consent.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { browserCookies } from '../accounts/browser.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import { card, pollingId, pollUntilDone, stubOf } from '../payments/purchase-helpers.ts';
import { recordingQueue } from '../queue.ts';
import { post, request, statusAndCode } from '../request.ts';
import { written } from './experiment-of.ts';

const agent = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0 (iPhone)' };
const warm = { CONFIG_CACHE_SECONDS: '0' };
const offer = { upsell: 'upsell_monthly_999', guide: 'guide_1799' };

let runs = 0;
/** Publishes by hand, and waits until the Worker serves it. Everybody is offered the quarterly plan, `b` the monthly one. */
async function run(experiment: object) {
  runs += 1;
  const config = {
    experiment: `sold${runs}`,
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
    offers: {
      fullPrice: { ...offer, plans: ['quarterly'] },
      monthly: { ...offer, plans: ['monthly'] },
    },
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await env.FUNNEL.put('experiments.json', JSON.stringify({ experiments: [experiment] }));
  await vi.waitFor(async () => {
    const response = await request('/config.json', {}, warm);
    expect(await response.text()).toContain(`"${config.experiment}"`);
  }, pollTimeout);
}
const test_ = (control: number, more: object = {}, ofB: object = {}) =>
  written('e', {
    variants: [
      { key: 'control', weight: control },
      { key: 'b', weight: 100 - control, changes: { offer: 'monthly' }, ...ofB },
    ],
    ...more,
  });

type Headers = Record<string, string>;

/** A page of the checkout: which plan it offers, its stamp, its cookies and what it counts. */
async function checkout(headers: Headers, query = '') {
  const { sent, queue } = recordingQueue<CountInput>();
  const bindings = { ...warm, EXPOSURE_QUEUE: queue };
  const page = await request(
    `/checkout_v3_tr${query}`,
    { headers: { ...agent, ...headers } },
    bindings,
  );
  const html = await page.text();
  const stamp = /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
  const cookies = page.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '');
  const counts = sent.filter(({ step }) => step === 'test:exposure').length;
  return { isB: !stamp.includes('quarterly'), stamp, counts, cookies };
}

/** An account of this browser, as the API of its page sees it. */
async function signUp(headers: Headers, uuid: string) {
  const email = `${crypto.randomUUID()}@example.com`;
  const sent = { email, user_uuid: uuid, landing_type: 'split_fullPrice' };
  const { data } = (await (await post('/signup', sent, { ...agent, ...headers })).json()) as {
    data: SignedUp;
  };
  const stored = env.DB.prepare('SELECT arms FROM accounts WHERE email_key = ?').bind(email);
  const authorization = { authorization: `Bearer ${data.access_token}` };
  stubOf(authorization);
  return { authorization, arms: await stored.first<string>('arms') };
}

const buy = (plan: string, headers: Headers, more: object = {}) =>
  post(`/users/me/subscriptions/polling/${plan}`, card('pm_card_visa', more), headers);

afterEach(() => vi.useRealTimers());

/** Whether page, prefetch, API and a purchase without the page's stamp know the variant, and what a purchase with it sells. */
test.each<[consent: string, source: string, isB: boolean, choice: string]>([
  ['allowed', 'in the address', true, `; consent=${consentValue('yes')}`],
  ['allowed', 'lost', true, `; consent=${consentValue('yes')}`],
  ['refused', 'in the address', true, `; consent=${consentValue('no')}`],
  ['refused', 'lost', false, `; consent=${consentValue('no')}`],
  ['not asked for', 'in the address', true, ''],
  ['not asked for', 'lost', false, ''],
])(
  'experiments: with cookies %s and the campaign %s, page, prefetch, API and purchase agree',
  async (consent, source, isB, choice) => {
    stubStripe();
    await run(test_(0, { targeting: { campaigns: ['spring'] } }));
    const { uuid, cookie } = browserCookies();
    const de = { 'cf-ipcountry': 'DE' };
    const campaign = '?utm_source=ig&utm_campaign=spring';
    const first = await checkout({ ...de, cookie: cookie + choice }, campaign);
    expect([first.isB, first.counts]).toEqual([true, 1]);
    const arms = first.cookies.filter((each) => each.startsWith('arms='));
    expect(arms.length).toBe(consent === 'allowed' ? 1 : 0);
    const mine = { ...de, cookie: [cookie + choice, ...arms].join('; ') };
    const query = source === 'lost' ? '' : campaign;
    const page = await checkout(mine, query);
    // Without the cookie each view is sent, and counted once by its id.
    expect([page.isB, page.counts]).toEqual([isB, isB && consent !== 'allowed' ? 1 : 0]);
    const prefetched = await checkout({ ...mine, 'sec-purpose': 'prefetch' }, query);
    expect([prefetched.isB, prefetched.counts]).toEqual([isB, 0]);
    const api = { ...mine, referer: `http://localhost/checkout_v3_tr${query}` };
    const { authorization, arms: stored } = await signUp(api, uuid);
    expect(stored).toBe(isB ? 'e:b' : '');
    const [own, others] = isB ? ['monthly_eur', 'quarterly_eur'] : ['quarterly_eur', 'monthly_eur'];
    const headers = { ...agent, ...api, ...authorization };
    expect(await statusAndCode(await buy(others, headers))).toEqual([409, 'plan_not_offered']);
    await pollUntilDone(
      await pollingId(own, card('pm_card_visa', { terms_shown: page.stamp }), headers),
    );
    const [owned] = await stubOf(headers).ownedSubscriptions();
    expect(owned?.subscription.plan).toBe(own);
  },
);

// The last one, because an isolate does not read documents again that it read in the future.
test('experiments: a stopped arm’s page can buy for 24 hours what it showed, a payment goes on, and the next page sells the control’s', async () => {
  const fake = stubStripe();
  const us = { 'cf-ipcountry': 'US' };
  await run(test_(0));
  const { uuid, cookie } = browserCookies();
  const shown = await checkout({ ...us, cookie });
  expect(shown.isB).toBe(true);
  const mine = { ...us, cookie: [cookie, ...shown.cookies].join('; ') };
  const early = await signUp(mine, uuid);
  const begun = await pollingId('monthly_usd', card('pm_card_visa', { terms_shown: shown.stamp }), {
    ...us,
    ...early.authorization,
  });
  await run(
    test_(100, {}, { stopped: { at: '2026-12-01T00:00:00Z', guardrail: 'Declines', weight: 50 } }),
  );
  await pollUntilDone(begun);
  const next = await checkout(mine);
  expect([next.isB, next.counts]).toEqual([false, 0]);
  const other = browserCookies();
  const late = await signUp({ ...us, cookie: other.cookie }, other.uuid);
  const lateHeaders = { ...us, ...late.authorization };
  expect(await statusAndCode(await buy('monthly_usd', lateHeaders))).toEqual([
    409,
    'plan_not_offered',
  ]);
  await pollUntilDone(
    await pollingId('monthly_usd', card('pm_card_visa', { terms_shown: shown.stamp }), lateHeaders),
  );
  expect(fake.captures().map(({ amount }) => amount)).toEqual([3999, 3999]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24.1 * 60 * 60_000 });
  const third = browserCookies();
  const after = await signUp({ ...us, cookie: third.cookie }, third.uuid);
  const tooLate = await buy(
    'monthly_usd',
    { ...us, ...after.authorization },
    { terms_shown: shown.stamp },
  );
  expect(await statusAndCode(tooLate)).toEqual([409, 'plan_not_offered']);
});
