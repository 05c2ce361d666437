import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { newAccount } from '../../accounts/account-fixture.ts';
import { browserCookies } from '../../accounts/browser.ts';
import { kvOf, withUnsold } from '../../kv-of.ts';
import { post, refusalOf, request, statusAndCode } from '../../request.ts';
import { stubBraintree } from '../gateways/braintree/braintree-fixture.ts';
import { stubStripe } from '../payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  requestPurchase,
  signedInHeaders,
  stubOf,
} from '../purchase-helpers.ts';

const path = '/users/me/subscriptions/polling/monthly_usd';

test.each([
  ['none', {}],
  ['a broken one', { authorization: 'Bearer a.b.c' }],
  ['no bearer', { authorization: 'Basic YTpi' }],
])('subscribe API: refused without a token: %s', async (_, headers) => {
  const fake = stubStripe();
  for (const plan of ['polling/monthly_usd', 'monthly_usd']) {
    const response = await post(`/users/me/subscriptions/${plan}`, card(), headers);
    expect(await statusAndCode(response)).toEqual([401, 'unauthorized']);
  }
  expect(fake.state.customers).toEqual({});
});

test.each([
  ['a nonce that is no text', { payment_method_nonce: { $ne: '' } }, 400, 'malformed_body'],
  ['a nonce of 300 letters', { payment_method_nonce: 'x'.repeat(300) }, 400, 'malformed_body'],
  ['a card for a nonce', { payment_method_nonce: '4242424242424242' }, 400, 'malformed_body'],
  ['a card’s code for a nonce', { payment_method_nonce: '737' }, 400, 'malformed_body'],
  ['an intent that is a list', { payment_intent_id: ['pi'] }, 400, 'malformed_body'],
  ['3,000 letters of a device', { device_data: 'x'.repeat(3000) }, 400, 'malformed_body'],
  ['user data that is a text', { user_data: 'x' }, 400, 'malformed_body'],
  ['a gateway that nobody knows', { gateway: 'cash' }, 400, 'malformed_body'],
  ['no nonce', { payment_method_nonce: null }, 422, 'nonce_missing'],
  [
    'an intent that was never asked for',
    { payment_intent_id: 'pi_1' },
    409,
    'payment_intent_mismatch',
  ],
] as const)('subscribe API: a request with %s is refused', async (_, change, ...refusal) => {
  stubStripe();
  const response = await requestPurchase(
    'monthly_usd',
    { ...card(), ...change },
    await signedInHeaders(),
  );
  expect(await statusAndCode(response)).toEqual(refusal);
});

test('subscribe API: only JSON is read', async () => {
  const headers = { ...(await signedInHeaders()), 'content-type': 'application/json' };
  const broken = await request(`/api/v1${path}`, { method: 'POST', headers, body: '{' });
  expect(await statusAndCode(broken)).toEqual([400, 'malformed_body']);
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const wrong = await request(`/api/v1${path}`, { method: 'POST', headers: form, body: 'a=b' });
  expect(await statusAndCode(wrong)).toEqual([415, 'unsupported_media_type']);
});

test('subscribe API: an invalid coupon is refused instead of a charge in full', async () => {
  const fake = stubStripe();
  const response = await requestPurchase(
    'monthly_usd',
    card('pm_card_visa', { coupon: 'HALF' }),
    await signedInHeaders(),
  );
  expect(await statusAndCode(response)).toEqual([422, 'coupon_unknown']);
  expect(fake.captures()).toEqual([]);
});

test('subscribe API: the same plan gets the same polling id, another plan is refused', async () => {
  const fake = stubStripe();
  const headers = await signedInHeaders();
  const id = await pollingId('monthly_usd', card(), headers);
  expect(await pollingId('monthly_usd', card(), headers)).toBe(id);
  const busy = [
    409,
    'purchase_in_progress',
    'Another payment is still in progress. Please wait a moment.',
  ];
  expect(await refusalOf(await requestPurchase('quarterly_usd', card(), headers))).toEqual(busy);
  await pollUntilDone(id);
  expect(await statusAndCode(requestPurchase('quarterly_usd', card(), headers))).toEqual([
    409,
    'already_active',
  ]);
  expect(await pollingId('monthly_usd', card(), headers)).toBe(id);
  expect(fake.captures()).toHaveLength(1);
});

const awaited = (plan: string, body: unknown, headers: Record<string, string>) =>
  post(`/users/me/subscriptions/${plan}`, body, headers);

test('card testing: after five declines an IP is refused, another is not', async () => {
  stubStripe();
  const here = { 'cf-connecting-ip': '2001:db8::1' };
  const declined = card('pm_card_visa_chargeDeclined');
  for (let tries = 0; tries < 5; tries += 1) {
    const id = await pollingId('monthly_usd', declined, { ...(await signedInHeaders()), ...here });
    expect(await statusAndCode(pollUntilDone(id))).toEqual([200, 'card_declined']);
  }
  const buyer = await signedInHeaders();
  const neighbour = { 'cf-connecting-ip': '2001:db8::2' };
  expect(
    await statusAndCode(requestPurchase('monthly_usd', card(), { ...buyer, ...neighbour })),
  ).toEqual([429, 'too_many_declines']);
  const elsewhere = { 'cf-connecting-ip': '2001:db8:0:1::1' };
  expect((await requestPurchase('monthly_usd', card(), { ...buyer, ...elsewhere })).status).toBe(
    200,
  );
});

test('card testing: after five declines a visitor is refused in every account', async () => {
  stubStripe();
  const visitor = browserCookies();
  const declined = card('pm_card_visa_chargeDeclined');
  for (let tries = 0; tries < 5; tries += 1) {
    await pollUntilDone(
      await pollingId('monthly_usd', declined, await signedInHeaders(undefined, visitor)),
    );
  }
  const refused = await requestPurchase(
    'monthly_usd',
    card(),
    await signedInHeaders(undefined, visitor),
  );
  expect(await statusAndCode(refused)).toEqual([429, 'too_many_declines']);
});

test('subscribe API: the awaited call returns the result', async () => {
  stubStripe();
  const headers = { ...(await signedInHeaders()), 'cf-ipcountry': 'DE' };
  const response = await awaited('quarterly_eur', card(), headers);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await response.json()).toEqual({
    data: {
      status: 'active',
      data: null,
      subscription_id: expect.stringMatching(/^sub_/),
      event_id: expect.stringMatching(/^[\da-f-]{36}$/),
      price_with_discount: '59.99',
      customer_id: expect.stringMatching(/^cus_/),
      payment_intent_id: expect.stringMatching(/^pi_/),
      payment_intent_secret: null,
    },
  });
});

test.each([
  ['{"correlation_id":"a session"}', true],
  ['ada@example.com', false],
  ['{"correlation_id":"4242424242424242"}', false],
])('subscribe API: the device data %s is sent to the gateway: %s', async (device_data, sent) => {
  const { fake } = stubBraintree();
  const wallet = { ...card('fake-apple-pay-visa-nonce'), gateway: 'braintree', device_data };
  await awaited('monthly_usd', wallet, await signedInHeaders());
  const [transaction] = Object.values(fake.state.transactions);
  expect(transaction).toMatchObject({ card: { kind: 'apple_pay' } });
  expect(transaction?.deviceData ?? '').toBe(sent ? device_data : '');
});

test('subscribe API: the awaited and the polled call share an attempt', async () => {
  const fake = stubStripe();
  const headers = await signedInHeaders();
  const id = await pollingId('monthly_usd', card(), headers);
  const { data } = (await (await awaited('monthly_usd', card(), headers)).json()) as {
    data: { event_id: string };
  };
  expect(await (await pollUntilDone(id)).json()).toMatchObject({
    data: { result_data: { event_id: data.event_id } },
  });
  expect(fake.captures()).toHaveLength(1);
});

test('subscribe API: after 25 s the awaited call returns the polling id', async () => {
  stubStripe({ wrap: () => () => new Promise(() => {}) });
  const headers = await signedInHeaders();
  const id = await pollingId('monthly_usd', card(), headers);
  const start = Date.now();
  let reads = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => start + 10_000 * reads++);
  const response = await awaited('monthly_usd', card(), headers).finally(() =>
    vi.restoreAllMocks(),
  );
  expect([response.status, await response.json()]).toEqual([
    202,
    { data: { polling_result_id: id } },
  ]);
});

test.each([undefined, 'upsell30', 'UPSELL30'])(
  'upsell: the plan of 9.99 is sold with its own coupon, whatever the code: %s',
  async (coupon) => {
    const fake = stubStripe();
    const headers = await signedInHeaders();
    await pollUntilDone(await pollingId('monthly_eur', card(), headers));
    const response = await pollUntilDone(
      await pollingId('upsell_monthly_999_eur', { gateway: 'stripe', coupon }, headers),
    );
    expect(await response.json()).toMatchObject({
      data: { result_data: { status: 'active', price_with_discount: '6.99' } },
    });
    expect(fake.captures().map(({ amount }) => amount)).toEqual([3999, 699]);
    const subscriptions = (await stubOf(headers).ownedSubscriptions()) as OwnedSubscription[];
    const sold = subscriptions.find(({ subscription }) => subscription.slot === 'upsell');
    expect(sold?.terms?.text).toContain('Today, then every month €6.99');
    expect(sold?.terms?.text).toContain('30% off €9.99, on every payment.');
  },
);

test('upsell: the plan of 9.99 accepts no other coupon', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  await pollUntilDone(await pollingId('monthly_usd', card(), headers));
  const response = await requestPurchase('upsell_monthly_999_usd', { coupon: 'HALF' }, headers);
  expect(await statusAndCode(response)).toEqual([422, 'coupon_not_for_plan']);
});

describe('buying again', () => {
  /** A buyer of the monthly plan with a changed subscription. */
  async function owner(change: Partial<Subscription>) {
    const fake = stubStripe();
    const headers = await signedInHeaders();
    await pollUntilDone(await pollingId('monthly_usd', card(), headers));
    await runInDurableObject(stubOf(headers), (_, { storage }) => {
      const ledger = new PurchaseStorage(storage.kv);
      const [subscription] = ledger.subscriptions();
      if (subscription) ledger.saveSubscription({ ...subscription, ...change });
    });
    return { fake, headers };
  }

  test.each([
    ['payment_overdue', { status: 'past_due' }],
    ['plan_ending', { ends: true }],
    ['plan_ending', { cancelRequestedAt: 1 }],
  ] as const)(
    '%s: a second purchase of an owned plan is refused, not reported as paid: %o',
    async (code, change) => {
      const { fake, headers } = await owner(change);
      for (const plan of ['monthly_usd', 'quarterly_usd', 'upsell_monthly_799_usd']) {
        for (const way of [requestPurchase, awaited]) {
          const refusal = await refusalOf(await way(plan, card(), headers));
          expect([plan, ...refusal.slice(0, 2)]).toEqual([plan, 409, code]);
          expect(refusal[2]).not.toMatch(/still open/);
        }
      }
      expect(fake.captures()).toHaveLength(1);
    },
  );
});

describe('payment settings API', () => {
  const path = '/api/v1/users/me/payments-settings';

  const stripe = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_ACCOUNT_NAME: 'acct' };

  const none = { BRAINTREE_PRIVATE_KEY: undefined };

  const read = async (more: object) => {
    const { headers } = await newAccount();
    return (await request(path, { headers }, { ...stripe, ...more })).json();
  };

  test('names the provider and its public key', async () => {
    expect(await read(none)).toEqual({
      stripe_publishable_key: 'pk_test_1',
      stripe_account_name: 'acct',
      braintree_client_token: null,
      payment_gateway: 'stripe',
      payment_routes: { card: ['stripe'], wallet: ['stripe'] },
      request_three_d_secure: 0,
    });
  });

  test('variables choose 3-D Secure; a gateway without secrets is on no route', async () => {
    stubBraintree();
    const both = ['stripe', 'braintree'];
    expect(await read({ REQUEST_THREE_D_SECURE: '1' })).toMatchObject({
      braintree_client_token: expect.stringMatching(/^[\w+/=]{40,}$/),
      payment_routes: { card: both, wallet: both },
      request_three_d_secure: 1,
    });
    expect(await read({ STRIPE_SECRET_KEY: '' })).toMatchObject({
      payment_gateway: 'braintree',
      payment_routes: { card: ['braintree'], wallet: ['braintree'] },
    });
    expect(await read(none)).toMatchObject({ payment_gateway: 'stripe' });
  });

  test('the published routing decides by market and method', async () => {
    stubBraintree();
    const { 'config.json': text, 'flows.json': flows } = builtInDocuments;
    const gateways = [
      { name: 'braintree', weight: 100 },
      { name: 'stripe', weight: 0 },
    ];
    const routing = [{ methods: ['wallet'], gateways }];
    const documents: Record<string, string> = {
      'config.json': JSON.stringify({ ...JSON.parse(text), routing }),
      'flows.json': flows,
    };
    const FUNNEL = kvOf(async (key) => documents[key] ?? null);
    const more = { FUNNEL, CONFIG_CACHE_SECONDS: '-1' };
    await request('/', {}, more);
    await vi.waitFor(
      async () =>
        expect(await read(more)).toMatchObject({
          payment_routes: { card: ['stripe', 'braintree'], wallet: ['braintree', 'stripe'] },
        }),
      pollTimeout,
    );
  });

  test('a page gets no gateway whose circuit is open, unless there is no other', async () => {
    stubBraintree();
    const circuits = (open: string[]) => ({
      GATEWAY_CIRCUITS: {
        getByName: (name: string) => ({ admitsPage: async () => !open.includes(name) }),
      } as never,
    });
    expect(await read(circuits(['stripe']))).toMatchObject({
      payment_gateway: 'braintree',
      payment_routes: { card: ['braintree'], wallet: ['braintree'] },
    });
    expect(await read(circuits(['stripe', 'braintree']))).toMatchObject({
      payment_routes: { card: ['stripe', 'braintree'] },
    });
  });

  test('a session that cannot be verified is refused', async () => {
    const { headers } = await newAccount();
    const DB = {
      prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error('D1')) }) }),
    };
    const response = await request(path, { headers }, { DB: DB as never });
    expect(await statusAndCode(response)).toEqual([503, 'unavailable']);
  });

  test('a gateway that does not sell the offer is on no route, and its purchase is refused', async () => {
    stubBraintree();
    const more = withUnsold({ stripe: ['quarterly_usd'] });
    await request('/', {}, more);
    await vi.waitFor(
      async () =>
        expect(await read(more)).toMatchObject({
          payment_gateway: 'braintree',
          payment_routes: { card: ['braintree'], wallet: ['braintree'] },
        }),
      pollTimeout,
    );
    const headers = await signedInHeaders();
    const refused = (plan: string) =>
      post(`/users/me/subscriptions/polling/${plan}`, card(), headers, more).then(statusAndCode);
    expect(await refused('quarterly_usd')).toEqual([409, 'method_not_offered']);
  });
});
