import type { Context } from 'hono';
import { expect, test } from 'vitest';
import type { Coupon } from '../../../worker/catalog/coupons.ts';
import { type Market, marketOf, type Shortcuts } from '../../../worker/catalog/markets.ts';
import type { PlanFamily } from '../../../worker/catalog/plans.ts';
import type { App, Env } from '../../../worker/env.ts';
import type { Assignment } from '../../../worker/experiments/assignment.ts';
import type { Configuration } from '../../../worker/experiments/rules/config-documents.ts';
import { builtInFlows, type Flow } from '../../../worker/experiments/rules/flows.ts';
import { pageProps } from '../../../worker/rendering/page-props.ts';

/** The page of a screen for a visitor of the default flow. */
function page(
  screen: Parameters<typeof pageProps>[1],
  {
    country = 'US',
    flow = builtInFlows.default as Flow,
    coupons = {},
    shortcuts = [],
    upsell = 'upsell_monthly_799',
    ...env
  }: Partial<Env> & Asked = {},
) {
  const configuration: Partial<Configuration> = {
    coupons: new Map(Object.entries(coupons)),
    shortcuts: new Map(shortcuts),
  };
  const assignment: Partial<Assignment> = {
    configuration: configuration as Configuration,
    flow,
    flowName: 'default',
    arm: 'intro/7d',
    landingType: 'split_intro_7d',
    offer: {
      plans: ['monthly_7d', 'quarterly'],
      after: ['monthly'],
      upsell,
      guide: 'guide_899',
    },
  };
  const visitor = { country, market: marketOf(country), language: 'en', theme: 'geozilla' };
  const c = { env, var: { assignment, visitor } } as unknown as Context<App>;
  return pageProps(c, screen);
}

interface Asked {
  country?: string;
  flow?: Flow;
  coupons?: Record<string, Coupon>;
  shortcuts?: [Market['id'], Shortcuts][];
  upsell?: PlanFamily;
}

test('a page says who takes payments, and whether there are coupons and PayPal', () => {
  const plain = { gateway: 'stripe', braintree: false, coupons: false, paypal: false };
  expect(page('checkout_h3_pp', { PAYMENT_GATEWAY: 'braintree' })).toMatchObject(plain);
  const account = {
    BRAINTREE_MERCHANT_ID: 'm',
    BRAINTREE_PUBLIC_KEY: 'p',
    BRAINTREE_PRIVATE_KEY: 'k',
  };
  const open = { ...account, PAYMENT_GATEWAY: 'braintree', PAYPAL: 'true' };
  const more = page('checkout_h3_pp', { ...open, coupons: { TEN: { percent: 10 } } });
  expect(more).toMatchObject({
    gateway: 'braintree',
    braintree: true,
    coupons: true,
    paypal: true,
  });
  expect(page('checkout_h3_pp', { PAYPAL: 'braintree' }).paypal).toBe(true);
  expect(page('checkout_h3_pp', { PAYPAL: 'stripe' }).paypal).toBe(false);
});

test('a page has the plans that follow the offer beside those of the offer', () => {
  const { plans, plansAfterOffer: after } = page('checkout_v3_tr', { country: 'DE' });
  expect([plans, after].map((all) => all.map(({ id }) => id))).toEqual([
    ['monthly_7d_eur', 'quarterly_eur'],
    ['monthly_eur'],
  ]);
});

test('a screen knows its way: its path, the next one, the first, the sign-up, the checkout', () => {
  expect(page('signup')).toMatchObject({
    path: '/signup',
    next: '/checkout_v3_tr',
    first: '/one_pager',
    signup: '/signup',
    checkout: '/checkout_v3_tr',
    kind: 'ordinary',
    nextKind: 'payment',
    entry: false,
  });
  expect(page('one_pager').entry).toBe(true);
  expect(page('success').next).toBeNull();
});

test('what is no screen leads to the first one, and Back leaves it', () => {
  for (const screen of ['fallback', 'crash', 'refused'] as const) {
    expect(page(screen)).toMatchObject({ next: '/one_pager', kind: 'ordinary', entry: true });
  }
  const declined = page('payment_declined');
  expect(declined).toMatchObject({ next: '/one_pager', kind: 'ordinary', entry: false });
});

test('who was invited is led nowhere', () => {
  expect(page('invited')).toMatchObject({ next: null, kind: 'private', entry: true, fonts: null });
});

test('a flow without sign-up or checkout leads to its first screen instead', () => {
  const flow: Flow = ['one_pager_ai', 'success'];
  expect(page('success', { flow })).toMatchObject({
    first: '/one_pager_ai',
    signup: '/one_pager_ai',
    checkout: '/one_pager_ai',
  });
});

test('plans are the arm’s, in the market’s currency', () => {
  const idsOf = ({ plans, upsell, guide }: ReturnType<typeof page>) =>
    [...plans, upsell, guide].map(({ id }) => id);
  const families = ['monthly_7d', 'quarterly', 'upsell_monthly_799', 'guide_899'];
  expect(idsOf(page('signup'))).toEqual(families.map((family) => `${family}_usd`));
  const german = page('signup', { country: 'DE' });
  expect(idsOf(german)).toEqual(families.map((family) => `${family}_eur`));
  expect(idsOf(page('signup', { country: 'SE' }))).toEqual(idsOf(page('signup')));
});

test('real e-mail hosts are offered in production only', () => {
  const { shortcuts } = page('signup', { ENVIRONMENT: 'production' }).market;
  expect(shortcuts).toEqual(marketOf('US').shortcuts);
  const hosts = ['example.com', 'example.net', 'example.org'];
  expect(page('signup', { ENVIRONMENT: 'development' }).market.shortcuts).toEqual(hosts);
});

test('a market offers the e-mail hosts that are configured for it, and no other market does', () => {
  const own = ['gmx.de', 'web.de', 't-online.de'] as const;
  const offeredIn = (country: string, ENVIRONMENT = 'production') =>
    page('signup', { ENVIRONMENT, country, shortcuts: [['euro', own]] }).market.shortcuts;
  expect(offeredIn('DE')).toEqual(own);
  expect(offeredIn('US')).toEqual(marketOf('US').shortcuts);
  expect(offeredIn('DE', 'development')).toEqual(['example.com', 'example.net', 'example.org']);
});

test('two visitors of one market have the same page, whatever their country', () => {
  expect(page('signup', { country: 'FR' })).toEqual(page('signup', { country: 'DE' }));
  expect(page('signup', { country: 'JP' })).toEqual(page('signup', { country: 'MX' }));
});

test('networks’ scripts are on the funnel’s ordinary screens, and nowhere else', () => {
  const has = (screen: Parameters<typeof pageProps>[1]) =>
    page(screen, { META_PIXEL_ID: '1' }).pixels;
  expect([has('one_pager')?.meta, has('success')?.meta]).toEqual(['1', '1']);
  const others = ['checkout_v3_tr', 'upsell_guide', 'mail_link', 'open_app', 'terms'] as const;
  expect(others.map((screen) => has(screen))).toEqual(Array(5).fill(null));
  expect(page('one_pager').pixels).toBeNull();
});

test('only production is no test', () => {
  expect(page('signup', { ENVIRONMENT: 'production' }).test).toBe(false);
  expect(page('signup', { ENVIRONMENT: 'test' }).test).toBe(true);
});

test('addresses of legal pages are variables, with our own paths behind them', () => {
  const { legal } = page('signup', { TERMS_URL: 'https://example.com/terms' });
  expect(legal).toMatchObject({
    terms: 'https://example.com/terms',
    privacy: '/privacy',
    refunds: '/refunds',
    support: '/support',
  });
});

test('no secret of the server is in a page', () => {
  const secrets = { STRIPE_SECRET_KEY: 'sk_live_canary', TOKEN_SECRET: 'canary' };
  expect(JSON.stringify(page('checkout_v3_tr', secrets))).not.toContain('canary');
});

test.each([
  ['production', undefined, null],
  ['production', 'true', 999],
  ['test', undefined, null],
  ['test', 'true', 999],
])(
  'the price before a coupon in %s with REFERENCE_PRICES %j: %j is struck',
  (ENVIRONMENT, REFERENCE_PRICES, struck) => {
    const { upsell } = page('upsell_an_private', {
      ENVIRONMENT,
      REFERENCE_PRICES,
      upsell: 'upsell_monthly_999',
    });
    expect(upsell).toMatchObject({ price: 699, listPrice: struck, coupon: { full: 999 } });
  },
);

test.each([
  ['production', undefined, null],
  ['production', 'true', 2899],
  ['test', undefined, 2899],
])('a list price in %s with REFERENCE_PRICES %j is %j', (ENVIRONMENT, REFERENCE_PRICES, list) => {
  expect(page('upsell_guide', { ENVIRONMENT, REFERENCE_PRICES }).guide.listPrice).toBe(list);
});
