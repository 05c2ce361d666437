import Stripe from 'stripe';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { type SetUp, setUpStripe } from '../../../scripts/setup/stripe.ts';
import { builtInCatalog, Catalog } from '../../../worker/catalog/rules/catalog.ts';
import { catalogSchema } from '../../../worker/catalog/rules/catalog-document.ts';
import type { CalledStripe } from '../../../worker/payments/gateways/stripe/called-resources.ts';
import type { StripeClient } from '../../../worker/payments/gateways/stripe/client.ts';
import {
  checkOffers,
  checkPrices,
  offersOf,
  pricesOf,
} from '../../../worker/payments/gateways/stripe/prices.ts';
import { stripeEvents } from '../../../worker/payments/gateways/stripe/webhook.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { everywhereCatalog, everywhereDocument } from '../../fakes/everywhere-catalog.ts';
import { createStripe } from '../../fakes/stripe/server.ts';
import { type Fault, faults } from '../deploy/deploy-fixture.ts';

/** A Stripe account, a Worker that stores secrets and variables, and one request that can fail. */
function fixture() {
  const fake = createStripe();
  const vars: Partial<Env> = {};
  const secrets = new Map<string, string>();
  const printed: string[] = [];
  let requests = 0;
  let broken: { at: number; fault: Fault } | null = null;
  const isBroken = () => {
    requests += 1;
    return broken?.at === requests ? broken.fault : null;
  };
  const httpClient = Stripe.createFetchHttpClient(async (input: unknown, init?: RequestInit) => {
    const fault = isBroken();
    if (fault === 'never') throw new TypeError('fetch failed');
    if (fault === 'refused') {
      const error = { type: 'api_error', message: 'Something went wrong.' };
      return Response.json({ error }, { status: 500 });
    }
    const response = await fake.fetch(input as string, init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    return response;
  });
  const stripe = new Stripe('sk_test_fake', { httpClient, maxNetworkRetries: 0, telemetry: false });
  const settings: SetUp = {
    stripe,
    plan: false,
    trialOffers: true,
    methods: [],
    print: (line) => void printed.push(line),
    vars,
    secretKey: 'sk_test_fake',
    publishableKey: 'pk_test_fake',
    site: 'https://funnel.example',
    secrets: {
      has: (name) => secrets.has(name),
      put: async (values) => {
        const fault = isBroken();
        if (fault === 'never' || fault === 'refused') throw new Error('wrangler failed');
        for (const [name, value] of Object.entries(values)) secrets.set(name, value);
        if (fault === 'lost') throw new Error('wrangler failed');
      },
    },
    catalog: builtInCatalog,
    writeVars: (values) => void Object.assign(vars, values),
    publishAppleFile: async () => undefined,
  };
  return {
    fake,
    vars,
    secrets,
    printed,
    settings,
    requests: () => requests,
    breakAt: (at: number, fault: Fault) => {
      broken = { at, fault };
    },
  };
}

type Fixture = ReturnType<typeof fixture>;

/** The contents of the account and the Worker, without ids. */
function contentOf({ fake: { state }, vars, secrets }: Fixture) {
  const prices = Object.values(state.prices).filter(({ active }) => active);
  const key = (id: string) => state.prices[id]?.lookup_key;
  const offers = Object.values(state.trial_offers).filter(({ active }) => active);
  const byPlan = (text = '{}') => Object.keys(JSON.parse(text)).sort();
  const endpoints = Object.values(state.webhook_endpoints);
  return {
    products: Object.values(state.products).map(({ id, name }) => [id, name]),
    prices: prices.map((price) => [price.lookup_key, price.unit_amount, price.product]).sort(),
    offers: offers.map(({ nickname, price }) => [nickname, key(String(price))]).sort(),
    coupons: Object.values(state.coupons).map(({ id, percent_off }) => [id, percent_off]),
    endpoints: endpoints.map(({ url, enabled_events, metadata, status }) => [
      url,
      enabled_events,
      metadata,
      status,
    ]),
    isSecretKnown: endpoints[0]?.secret === secrets.get('STRIPE_WEBHOOK_SECRET'),
    domains: Object.values(state.payment_method_domains).map((each) => each.domain_name),
    secrets: [...secrets.keys()].sort(),
    vars: [Object.keys(vars).sort(), byPlan(vars.STRIPE_PRICES), byPlan(vars.STRIPE_TRIAL_OFFERS)],
  };
}

/** What the Worker finds of every plan's price and offer. */
async function checksOf({ settings, vars }: ReturnType<typeof fixture>, hasTax = false) {
  const stripe = settings.stripe as CalledStripe as StripeClient;
  const plans = builtInCatalog.plansIn(['USD', 'EUR']);
  return [
    ...(await checkPrices(stripe, pricesOf(vars.STRIPE_PRICES), plans, hasTax)),
    ...(await checkOffers(stripe, offersOf(vars.STRIPE_TRIAL_OFFERS), plans, hasTax)),
  ];
}

const stride = process.env.FULL === '1' ? 1 : 4;

describe('setup of Stripe', () => {
  test('the created prices are those that the Worker expects for every plan', async () => {
    const setup = fixture();
    await setUpStripe(setup.settings);
    const checks = await checksOf(setup);
    expect(checks.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(checks.length).toBeGreaterThan(30);
    expect(contentOf(setup)).toMatchObject({
      coupons: [['UPSELL30', 30]],
      endpoints: [
        ['https://funnel.example/webhooks/stripe', stripeEvents, { funnel: 'stored' }, 'enabled'],
      ],
      isSecretKnown: true,
      domains: ['funnel.example'],
      secrets: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    });
    expect(setup.vars).toMatchObject({
      STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
      STRIPE_PRODUCT: 'funnel_monthly',
    });
  });

  test('with every currency and a new version, the named prices stay few enough for a variable', async () => {
    const document = structuredClone(everywhereDocument);
    const { monthly } = document.products;
    Object.assign(monthly?.versions ?? {}, {
      2: { prices: { ...monthly?.versions[1].prices, USD: 49.99 } },
    });
    const setup = fixture();
    await setUpStripe({
      ...setup.settings,
      catalog: new Catalog(v.parse(catalogSchema, document)),
    });
    const prices = setup.vars.STRIPE_PRICES ?? '';
    expect(Object.keys(JSON.parse(prices))).toHaveLength(2 * everywhereCatalog.families.length);
    expect(prices.length).toBeLessThan(5000);
    expect(contentOf(setup).prices).toContainEqual(['monthly@2_usd', 4999, 'funnel_monthly']);
  });

  test('a second run changes nothing', async () => {
    const setup = fixture();
    await setUpStripe(setup.settings);
    const before = JSON.stringify([
      setup.fake.state.prices,
      setup.fake.state.webhook_endpoints,
      setup.vars,
    ]);
    setup.printed.length = 0;
    await setUpStripe(setup.settings);
    const { prices, webhook_endpoints } = setup.fake.state;
    expect(JSON.stringify([prices, webhook_endpoints, setup.vars])).toBe(before);
    expect(setup.printed).toEqual(['Stripe matches the catalog.']);
  });

  test('--plan changes nothing and lists what would be created', async () => {
    const setup = fixture();
    await setUpStripe({ ...setup.settings, plan: true });
    const { products, prices, coupons, webhook_endpoints } = setup.fake.state;
    expect([products, prices, coupons, webhook_endpoints, setup.vars]).toEqual([
      {},
      {},
      {},
      {},
      {},
    ]);
    expect(setup.printed).toEqual(
      expect.arrayContaining([
        'Would create product "Monthly plan".',
        'Would create price monthly_usd of 39.99 USD.',
        'Would create coupon UPSELL30 of 30 %.',
        'Would create webhook endpoint https://funnel.example/webhooks/stripe.',
      ]),
    );
  });

  test('after any failed request, a second run ends in the same state as a run without faults', async () => {
    const clean = fixture();
    await setUpStripe(clean.settings);
    const [expected, count] = [contentOf(clean), clean.requests()];
    for (let nth = 1; nth <= count; nth += stride) {
      const one = faults[nth % faults.length] ?? 'lost';
      for (const fault of process.env.FULL === '1' ? faults : [one]) {
        const setup = fixture();
        setup.breakAt(nth, fault);
        await expect(setUpStripe(setup.settings)).rejects.toThrow();
        await setUpStripe(setup.settings);
        expect([nth, fault, contentOf(setup)]).toEqual([nth, fault, expected]);
      }
    }
  });

  test('a price that differs is archived, and a new price gets its lookup key', async () => {
    const setup = fixture();
    await setUpStripe(setup.settings);
    const { prices } = setup.fake.state;
    const old = Object.values(prices).find(({ lookup_key }) => lookup_key === 'monthly_usd');
    if (old) old.unit_amount = 2999;
    await setUpStripe(setup.settings);
    const current = Object.values(prices).find(({ lookup_key }) => lookup_key === 'monthly_usd');
    expect(current?.unit_amount).toBe(builtInCatalog.planById('monthly_usd')?.price);
    expect(old).toMatchObject({ active: false, lookup_key: null });
    expect(JSON.parse(setup.vars.STRIPE_PRICES ?? '{}').monthly_usd).toBe(current?.id);
  });

  test('with Stripe Tax, earlier prices become inclusive, an exclusive one is replaced, and the check passes', async () => {
    const setup = fixture();
    await setUpStripe(setup.settings);
    const { prices } = setup.fake.state;
    for (const price of Object.values(prices)) price.tax_behavior = 'unspecified';
    const exclusive = prices[JSON.parse(setup.vars.STRIPE_PRICES ?? '{}').monthly_usd];
    if (exclusive) exclusive.tax_behavior = 'exclusive';
    setup.vars.STRIPE_TAX = 'true';
    const problems = async () => (await checksOf(setup, true)).flatMap((check) => check.problems);
    expect(await problems()).toContain('tax_behavior is exclusive, not inclusive');
    await setUpStripe(setup.settings);
    expect(await problems()).toEqual([]);
    expect(exclusive).toMatchObject({ active: false, lookup_key: null });
    setup.printed.length = 0;
    await setUpStripe(setup.settings);
    expect(setup.printed).toEqual(['Stripe matches the catalog.']);
  });

  test('with Stripe Tax, the owner’s remaining steps are printed', async () => {
    const setup = fixture();
    setup.vars.STRIPE_TAX = 'true';
    Object.assign(setup.fake.state.tax_settings.current ?? {}, {
      status: 'pending',
      status_details: { pending: { missing_fields: ['head_office', 'defaults.tax_code'] } },
    });
    await setUpStripe(setup.settings);
    expect(setup.printed).toContain(
      'Stripe Tax is not active. Complete head_office, defaults.tax_code in the dashboard: Settings, Tax.',
    );
  });

  test('payment methods are turned on once, and unavailable ones are reported', async () => {
    const setup = fixture();
    const settings: SetUp = { ...setup.settings, methods: ['link', 'paypal'] };
    const { payment_method_configurations: configurations } = setup.fake.state;
    await setUpStripe({ ...settings, plan: true });
    expect(configurations.pmc_default?.link).toBeUndefined();
    await setUpStripe(settings);
    expect(configurations.pmc_default).toMatchObject({
      link: { available: true, display_preference: { value: 'on' } },
      paypal: { available: false, display_preference: { value: 'on' } },
    });
    setup.printed.length = 0;
    await setUpStripe(settings);
    expect(setup.printed).toEqual([
      'Payment method paypal is not available yet: dashboard, Settings, Payment methods.',
    ]);
  });

  test('an endpoint with an unknown secret is replaced, and one with another URL is kept', async () => {
    const setup = fixture();
    const create = (url: string) =>
      setup.settings.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
    const lost = await create('https://funnel.example/webhooks/stripe');
    const other = await create('https://shop.example/stripe');
    await setUpStripe(setup.settings);
    const ids = Object.keys(setup.fake.state.webhook_endpoints);
    expect(ids).not.toContain(lost.id);
    expect(ids).toContain(other.id);
    expect(ids).toHaveLength(2);
  });

  test('an endpoint whose events come in another version is replaced', async () => {
    const setup = fixture();
    await setUpStripe(setup.settings);
    const [old] = Object.values(setup.fake.state.webhook_endpoints);
    if (old) old.api_version = '2024-06-20';
    await setUpStripe(setup.settings);
    const endpoints = Object.values(setup.fake.state.webhook_endpoints);
    expect(endpoints.map(({ id, api_version }) => [id === old?.id, api_version])).toEqual([
      [false, Stripe.API_VERSION],
    ]);
  });

  test.each([
    ['sk_live_a', 'pk_test_a', 'One key is for test mode'],
    ['pk_test_a', 'pk_test_a', 'The secret key begins with sk_'],
    ['sk_test_a', 'sk_test_a', 'The publishable key begins with pk_'],
  ])('the keys %s and %s are refused', async (secretKey, publishableKey, message) => {
    const { settings } = fixture();
    await expect(setUpStripe({ ...settings, secretKey, publishableKey })).rejects.toThrow(message);
  });
});
