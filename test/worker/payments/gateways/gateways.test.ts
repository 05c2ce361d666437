import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import type { Currency } from '../../../../worker/catalog/rules/currencies.ts';
import { gatewayNames } from '../../../../worker/catalog/rules/gateway-names.ts';
import type { RoutingRule } from '../../../../worker/experiments/rules/routing.ts';
import { likelyGateway } from '../../../../worker/payments/api/payment-routes.ts';
import { braintreeGateway } from '../../../../worker/payments/gateways/braintree/gateway.ts';
import {
  checkGateways,
  settlementOf,
} from '../../../../worker/payments/gateways/configuration-check.ts';
import {
  canCharge,
  gatewayOf,
  isConfigured,
  webhooksOf,
} from '../../../../worker/payments/gateways/index.ts';
import readme from '../../../../worker/payments/gateways/README.md?raw';
import {
  differs,
  paymentProblems,
  requestsThreeDSecure,
  threeDSecureOf,
} from '../../../../worker/payments/gateways/settings.ts';
import { stripeGateway } from '../../../../worker/payments/gateways/stripe/gateway.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { deliveries } from '../../../fakes/deliveries.ts';
import { stubUnreliableStripe } from '../webhooks/webhook-fixture.ts';
import {
  chargeRequest as braintreeOrder,
  nonceOfCard,
  stubBraintree,
} from './braintree/braintree-fixture.ts';
import { chargeRequest, recordedStripe } from './stripe/stripe-fixture.ts';

test('gateways: a gateway is configured when all of its secrets are set', () => {
  expect(isConfigured('stripe', env)).toBe(true);
  expect(isConfigured('stripe', { ...env, STRIPE_SECRET_KEY: '' })).toBe(false);
  expect(isConfigured('braintree', { ...env, BRAINTREE_PRIVATE_KEY: 'x' })).toBe(true);
  expect(isConfigured('braintree', { ...env, BRAINTREE_PRIVATE_KEY: '' })).toBe(false);
  expect(isConfigured('braintree', { ...env, BRAINTREE_MERCHANT_ID: '' })).toBe(false);
});

const toBraintree: RoutingRule[] = [
  { markets: ['us'], gateways: [{ name: 'braintree', weight: 100 }] },
];

test.each([
  ['both', {}, [], 'stripe'],
  ['both and a route to Braintree', {}, toBraintree, 'braintree'],
  ['Braintree alone', { STRIPE_SECRET_KEY: '' }, [], 'braintree'],
  ['Stripe alone', { BRAINTREE_MERCHANT_ID: '' }, [], 'stripe'],
  ['Stripe alone and a route to Braintree', { BRAINTREE_MERCHANT_ID: '' }, toBraintree, 'stripe'],
] as const)(
  'payment settings: the fields for a page, with %s configured',
  (_, more, routing, gateway) =>
    expect(likelyGateway(routing, 'us', (name) => isConfigured(name, { ...env, ...more }))).toBe(
      gateway,
    ),
);

test('payment settings: a gateway that cannot charge a currency is not offered in it', () => {
  const charges = (name: GatewayName) => canCharge(name, env, 'KWD');
  expect(likelyGateway(toBraintree, 'us', charges)).toBe('stripe');
  expect(canCharge('braintree', env, 'JPY')).toBe(true);
  expect(canCharge('braintree', { ...env, BRAINTREE_MERCHANT_ACCOUNTS: '{' }, 'JPY')).toBe(false);
  expect(canCharge('braintree', { ...env, BRAINTREE_MERCHANT_ACCOUNTS: '{' }, 'USD')).toBe(true);
  expect(canCharge('stripe', { ...env, STRIPE_SECRET_KEY: '' }, 'USD')).toBe(false);
});

const settlementIn = (of: Env, currencies: Currency[]) =>
  settlementOf(of, { currencies, products: {} });

test('publishing: a currency that no provider charges is refused, one that some do not is noted', () => {
  const accounts = { BRAINTREE_MERCHANT_ACCOUNTS: '{"EUR":"m_eur"}' };
  expect(settlementIn(env, ['USD', 'EUR', 'JPY'])).toEqual({ refused: [], warnings: [] });
  expect(settlementIn({ ...env, ...accounts }, ['USD', 'EUR', 'JPY', 'KWD'])).toEqual({
    refused: [],
    warnings: ['sold by Stripe alone, because Braintree cannot charge it: JPY, KWD'],
  });
  expect(settlementIn({ ...env, STRIPE_SECRET_KEY: '' }, ['USD', 'KWD']).refused).toEqual([
    {
      key: 'catalog.json',
      path: 'currencies.1',
      reason: 'KWD: Braintree cannot charge it, and no other provider is set up',
    },
  ]);
  const none = { ...env, STRIPE_SECRET_KEY: '', BRAINTREE_PRIVATE_KEY: '' };
  expect(settlementIn(none, ['USD', 'KWD']).refused).toEqual([]);
});

test('publishing: a period that no provider renews is refused, one that some do not is noted', () => {
  const product = {
    slot: 'main',
    label: 'Weekly',
    period: 'week',
    grace_days: 3,
    versions: {},
  } as const;
  const catalog = { currencies: [], products: { weekly: product } };
  expect(settlementOf(env, catalog)).toEqual({
    refused: [],
    warnings: ['sold by Stripe alone, because Braintree cannot renew by week: weekly'],
  });
  expect(settlementOf({ ...env, STRIPE_SECRET_KEY: '' }, catalog).refused).toEqual([
    {
      key: 'catalog.json',
      path: 'products.weekly.period',
      reason: 'weekly: Braintree cannot renew by week, and no other provider is set up',
    },
  ]);
});

const all = [
  'cancel',
  'cancelUnpaid',
  'change',
  'charge',
  'customer',
  'fingerprint',
  'forget',
  'lookUp',
  'quote',
  'refund',
  'statement',
] as const;

test.each([
  ['stripe', [...all, 'endReduction', 'resume']],
  // At Braintree, undoing a cancellation needs a new subscription.
  ['braintree', all],
] as const)('gateways: %s implements the interface', async (name, has) => {
  expect(Object.keys(await gatewayOf(name, env)).sort()).toEqual([...has].sort());
});

const braintreeReport = async (more: object = {}) =>
  (await checkGateways({ ...env, ...more }, builtInCatalog.plansIn(['USD', 'EUR'])))[1];

const alone = { ...env, BRAINTREE_PRIVATE_KEY: '' };

const stripe = async (more: object) =>
  (await checkGateways({ ...alone, ...more }, builtInCatalog.plansIn(['USD', 'EUR'])))[0];

test('gateway report: without STRIPE_PRICES Stripe is asked for unpaid invoices only', async () => {
  const { line } = stubUnreliableStripe();
  expect(await stripe({})).toEqual({
    gateway: 'stripe',
    open: true,
    webhooks: true,
    unsettled: [],
    prices: [],
    retries: expect.objectContaining({ planned: 0, unplanned: 0 }),
    unread: null,
  });
  expect(line.calls).toEqual(['GET /v1/invoices']);
});

test('gateway report: the retries of more than a thousand unpaid renewals are those of the newest', async () => {
  const { fake } = stubUnreliableStripe();
  const unpaid = {
    ...{ object: 'invoice', status: 'open', attempted: true, lines: { data: [] } },
    ...{ parent: { subscription_details: {} }, next_payment_attempt: Date.now() / 1000 + 86_400 },
  };
  for (let at = 0; at < 1100; at += 1)
    fake.state.invoices[`in_${at}`] = { ...unpaid, id: `in_${at}` } as never;
  expect(await stripe({})).toMatchObject({ unread: null, retries: { planned: 1000 } });
});

test('gateway report: a missing secret is reported', async () => {
  expect(await stripe({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' })).toMatchObject({
    open: false,
    webhooks: false,
    unread: null,
  });
});

test('gateway report: prices that cannot be read are reported with the reason', async () => {
  const { line } = stubUnreliableStripe();
  expect(await stripe({ STRIPE_PRICES: 'not JSON' })).toMatchObject({
    unread: 'STRIPE_PRICES is not JSON',
  });
  line.dead = true;
  expect(await stripe({ STRIPE_PRICES: '{"monthly_usd":"price_1"}' })).toMatchObject({
    unread: 'it did not answer',
  });
});

test('gateway report: Braintree’s plans, discounts and merchant accounts are read if it is configured', async () => {
  const { calls } = stubBraintree();
  const report = await braintreeReport();
  expect(report).toMatchObject({ gateway: 'braintree', open: true, webhooks: true, unread: null });
  expect(report?.prices).toHaveLength(22);
  for (const missing of ['BRAINTREE_PRIVATE_KEY', 'BRAINTREE_MERCHANT_ID'])
    expect(await braintreeReport({ [missing]: '' })).toMatchObject({ open: false, prices: [] });
  const atBraintree = calls.map(({ path }) => path).filter((path) => !path.startsWith('/v1/'));
  const accounts = ['eur', 'usd'].map((name) => `/merchant_accounts/funnel_${name}`);
  expect(atBraintree.sort()).toEqual(['/discounts', ...accounts, '/plans']);
});

const stripeVars = {
  STRIPE_PUBLISHABLE_KEY: 'pk',
  STRIPE_PRODUCT: 'prod',
  STRIPE_SECRET_KEY: 'sk',
};

const braintreeVars = {
  BRAINTREE_MERCHANT_ID: 'm',
  BRAINTREE_PUBLIC_KEY: 'p',
  BRAINTREE_PRIVATE_KEY: 'k',
};

test.each([
  ['Stripe alone', stripeVars],
  ['Braintree alone', braintreeVars],
  ['Braintree alone, with PayPal', { ...braintreeVars, PAYPAL: 'braintree' }],
  [
    'tax at both',
    { ...stripeVars, STRIPE_TAX: 'true', BRAINTREE_TAX_RATES: '{"DE":1900,"gb":2000}' },
  ],
  ['both', { ...stripeVars, ...braintreeVars, PAYPAL: 'true' }],
] as [string, Partial<Env>][])('payment settings: %s is complete', (_, settings) => {
  expect(paymentProblems(settings)).toEqual([]);
});

test.each([
  ['no gateway', {}, /^no payment provider/],
  ['half of Stripe', { STRIPE_SECRET_KEY: 'sk' }, /STRIPE_PUBLISHABLE_KEY, STRIPE_PRODUCT$/],
  ['half of Braintree', { ...stripeVars, BRAINTREE_MERCHANT_ID: 'm' }, /^Braintree cannot take/],
  [
    'PayPal by Stripe',
    { ...stripeVars, PAYPAL: 'stripe' },
    /^PAYPAL=stripe cannot work: stripe_wallets/,
  ],
  ['STRIPE_TAX by another word', { ...stripeVars, STRIPE_TAX: 'yes' }, /^STRIPE_TAX is yes/],
  ...['{', '[1900]', '{"DE":19.5}', '{"DE":9000}', '{"Germany":1900}'].map(
    (BRAINTREE_TAX_RATES) => [
      `a tax table such as ${BRAINTREE_TAX_RATES}`,
      { ...braintreeVars, BRAINTREE_TAX_RATES },
      /^BRAINTREE_TAX_RATES is not JSON of basis points/,
    ],
  ),
] as [string, Partial<Env>, RegExp][])(
  'payment settings: %s is refused with the reason',
  (_, settings, reason) =>
    expect(paymentProblems(settings)).toEqual([expect.stringMatching(reason)]),
);

test('payment settings: a deploy, which has no access to secrets, does not report them as missing', () => {
  const { STRIPE_SECRET_KEY: _, ...variables } = stripeVars;
  expect(paymentProblems(variables, 'variables')).toEqual([]);
  expect(paymentProblems({}, 'variables')).toEqual([]);
  expect(paymentProblems({ PAYPAL: 'stripe' }, 'variables')).toHaveLength(1);
});

const requesting = { ...env, REQUEST_THREE_D_SECURE: '1' };

/** A card that is verified only on request. */
const optional = 'pm_card_threeDSecureOptional';

test.each([
  [undefined, 0, false],
  ['0', 0, false],
  ['1', 1, true],
  ['yes', 0, false],
])(
  'REQUEST_THREE_D_SECURE: %j is %i for the browser, and requests it: %s',
  (value, number, requests) => {
    const settings = { ...env, REQUEST_THREE_D_SECURE: value };
    expect([threeDSecureOf(settings), requestsThreeDSecure(settings)]).toEqual([number, requests]);
  },
);

test.each(['monthly_usd', 'monthly_7d_eur', 'guide_1799_usd'])(
  'REQUEST_THREE_D_SECURE: at Stripe %s gets a challenge, and none without the setting',
  async (plan) => {
    const { fake } = recordedStripe();
    const request = await chargeRequest(plan, optional);
    expect(await stripeGateway(requesting).charge(request)).toMatchObject({ kind: 'challenge' });
    expect(fake.captures()).toEqual([]);
    const other = await chargeRequest(plan, optional);
    expect(await stripeGateway(env).charge(other)).toMatchObject({ kind: 'active' });
  },
);

test('REQUEST_THREE_D_SECURE: at Stripe a card without 3-D Secure pays, and renewals are not challenged', async () => {
  let now = Date.now();
  const { fake } = recordedStripe(undefined, { now: () => now });
  const plain = await chargeRequest('monthly_usd', 'pm_card_visa');
  expect(await stripeGateway(requesting).charge(plain)).toMatchObject({ kind: 'active' });
  const request = await chargeRequest('monthly_usd', optional);
  const outcome = await stripeGateway(requesting).charge(request);
  fake.challenge(outcome.kind === 'challenge' ? (outcome.paymentId ?? '') : '', 'authenticated');
  expect(await stripeGateway(requesting).lookUp(request)).toMatchObject({ kind: 'active' });
  now += 32 * 24 * 3_600_000;
  fake.passTime();
  expect(fake.captures()).toHaveLength(4);
});

test('REQUEST_THREE_D_SECURE: at Braintree a card from outside Europe is verified too', async () => {
  const nonce = await nonceOfCard(stubBraintree().fake, '4111111111111111');
  const request = await braintreeOrder('monthly_usd', nonce);
  expect(await braintreeGateway(requesting).charge(request)).toEqual({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });
  expect(await braintreeGateway(env).charge(request)).toMatchObject({ kind: 'active' });
});

/** The events in the README's table of endpoints. */
function registered(path: string): string[] {
  const row = readme.split('\n').find((line) => line.includes(`| \`${path}\``)) ?? '';
  const [, , , events = ''] = row.split('|');
  return [...events.matchAll(/`([\w.]+)`/g)].map(([, event = '']) => event);
}

test('webhooks: the README lists exactly the events that are handled', async () => {
  for (const name of gatewayNames) {
    const { events } = await webhooksOf(name);
    expect(registered(`/webhooks/${name}`)).toEqual(events);
  }
});

test('webhooks: the fakes deliver these events and no others', async () => {
  const [ofStripe, ofBraintree] = [await webhooksOf('stripe'), await webhooksOf('braintree')];
  const posted: string[] = [];
  const post = async (url: string) => {
    posted.push(url);
    return new Response();
  };
  const delivery = deliveries();
  delivery.to({ origin: 'http://funnel.test', secret: 'whsec', post });
  const event = (type: string) => ({ id: 'evt', object: 'event', type, data: { object: {} } });
  for (const type of [...ofStripe.events, 'payment_intent.created', 'charge.succeeded'])
    await delivery.onEvent(event(type) as never);
  for (const kind of [...ofBraintree.events, 'check', 'disbursement'])
    await delivery.onWebhook({ kind, bt_signature: 's', bt_payload: 'p' });
  const count = (gateway: string) => posted.filter((url) => url.endsWith(gateway)).length;
  expect([count('stripe'), count('braintree')]).toEqual([
    ofStripe.events.length,
    ofBraintree.events.length,
  ]);
});

test.each([
  [3999, 3999, []],
  ['usd', 'eur', ['x is usd, not eur']],
  [undefined, 1, ['x is none, not 1']],
  [12, null, ['x is 12, not none']],
  [null, null, []],
])('price check: %j where %j is expected', (found, wanted, problems) => {
  expect(differs('x', found, wanted)).toEqual(problems);
});
