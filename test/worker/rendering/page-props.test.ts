import type { Context } from 'hono';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import type { Coupon } from '../../../worker/catalog/rules/coupons.ts';
import { type Market, marketOf, type Shortcuts } from '../../../worker/catalog/rules/markets.ts';
import type { PlanFamily } from '../../../worker/catalog/rules/plans.ts';
import type { StripeWallet } from '../../../worker/catalog/rules/stripe-wallets.ts';
import { translationsFor } from '../../../worker/content/translations.ts';
import type { Assignment } from '../../../worker/experiments/assignment.ts';
import type { Configuration } from '../../../worker/experiments/rules/config-documents.ts';
import { builtInFlows, type Flow } from '../../../worker/experiments/rules/flows.ts';
import type { RoutingRule } from '../../../worker/experiments/rules/routing.ts';
import type { App, Env } from '../../../worker/platform/env.ts';
import { pageProps } from '../../../worker/rendering/page-props.ts';
import { request } from '../request.ts';

/** The plan data in the HTML of a page. */
async function plansOf(path: string, headers: Record<string, string> = {}) {
  const html = await (await request(path, { headers })).text();
  const [, written] = /<main [^>]*data-plans="([^"]*)"/.exec(html) ?? [];
  return written && JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

test('plan data: a checkout has each plan’s catalogue entry in the page’s language', async () => {
  expect(await plansOf('/checkout_v3_tr')).toEqual({
    monthly_usd: {
      name: 'Monthly',
      price: '39.99',
      periodPrice: '39.99',
      description: expect.stringContaining('$39.99'),
      disclaimer: 'Renews until you cancel.',
      product_id: 'Monthly plan',
      duration: 'P1M',
      period: 'month',
      currency: 'USD',
      currencySymbol: '$',
    },
    quarterly_usd: expect.objectContaining({ price: '59.99', duration: 'P3M' }),
  });
});

test('plan data: a paywall includes its own intro', async () => {
  expect((await plansOf('/paycheck_combo_3d')).monthly_3d_usd).toMatchObject({
    periodPrice: '2.99',
    price: '39.99',
    duration: 'P3D',
  });
});

test('plan data: an upsell and the guide state how they renew', async () => {
  const upsell = await plansOf('/upsell_an_private');
  expect(upsell).toMatchObject({ upsell_monthly_999_usd: { period: 'month' } });
  expect(await plansOf('/upsell_guide')).toMatchObject({ guide_1799_usd: { period: 'once' } });
});

test('plan data: an upsell’s price has the built-in coupon deducted', async () => {
  const plans = await plansOf('/upsell_an_private', { 'cf-ipcountry': 'DE' });
  expect(Object.keys(plans)).toEqual(['upsell_monthly_999_eur']);
  expect(plans.upsell_monthly_999_eur).toMatchObject({
    price: '6.99',
    periodPrice: '6.99',
    currencySymbol: '€',
  });
  expect(await plansOf('/upsell_guide')).toMatchObject({ guide_1799_usd: { duration: null } });
});

test('plan data: a page that sells nothing has none', async () =>
  expect(await plansOf('/one_pager')).toBeUndefined());

/** The page of a screen for a visitor of the default flow. */
function page(
  screen: Parameters<typeof pageProps>[1],
  {
    country = 'US',
    flow = builtInFlows.default as Flow,
    coupons = {},
    shortcuts = [],
    upsell = 'upsell_monthly_799',
    routing = [],
    stripeWallets = [],
    ...env
  }: Partial<Env> & PageOptions = {},
) {
  const configuration: Partial<Configuration> = {
    catalog: builtInCatalog,
    coupons: new Map(Object.entries(coupons)),
    shortcuts: new Map(shortcuts),
    routing,
    bankMethods: [],
    unsold: {},
    stripeWallets,
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
  return pageProps(c, screen, translationsFor('en'));
}

interface PageOptions {
  stripeWallets?: StripeWallet[];
  country?: string;
  flow?: Flow;
  coupons?: Record<string, Coupon>;
  shortcuts?: [Market['id'], Shortcuts][];
  upsell?: PlanFamily;
  routing?: RoutingRule[];
}

test('page props: contain gateway, coupons and PayPal', () => {
  const checkout = (env: Parameters<typeof page>[1]) => page('checkout_h3_pp', env).checkout;
  const plain = {
    defaultGateway: 'stripe',
    gateways: [],
    hasCoupons: false,
    offersPayPal: false,
  };
  const toBraintree: RoutingRule[] = [{ gateways: [{ name: 'braintree', weight: 100 }] }];
  expect(checkout({ routing: toBraintree })).toMatchObject(plain);
  const account = {
    BRAINTREE_MERCHANT_ID: 'm',
    BRAINTREE_PUBLIC_KEY: 'p',
    BRAINTREE_PRIVATE_KEY: 'k',
  };
  const open = { ...account, routing: toBraintree, PAYPAL: 'true' };
  const more = checkout({ ...open, coupons: { TEN: { percent: 10 } } });
  expect(more).toMatchObject({
    defaultGateway: 'braintree',
    gateways: ['braintree'],
    hasCoupons: true,
    offersPayPal: true,
  });
  expect(checkout({ PAYPAL: 'braintree' }).offersPayPal).toBe(false);
  expect(checkout({ ...account, PAYPAL: 'braintree' }).offersPayPal).toBe(true);
  expect(checkout({ ...account, PAYPAL: 'stripe' }).offersPayPal).toBe(false);
});

test('page props: contain the plans of the offer and the plans after it', () => {
  const { plans, plansAfterOffer: after } = page('checkout_v3_tr', { country: 'DE' }).checkout;
  expect([plans, after].map((all) => all.map(({ id }) => id))).toEqual([
    ['monthly_7d_eur', 'quarterly_eur'],
    ['monthly_eur'],
  ]);
});

test('page props: contain the paths of this screen, the next, the first, sign-up and checkout', () => {
  expect(page('signup')).toMatchObject({
    path: '/signup',
    kind: 'ordinary',
    flow: {
      next: '/checkout_v3_tr',
      nextKind: 'payment',
      firstPath: '/one_pager',
      numberPath: '/one_pager',
      signupPath: '/signup',
      checkoutPath: '/checkout_v3_tr',
      backLeavesSite: false,
    },
  });
  expect(page('one_pager').flow.backLeavesSite).toBe(true);
  expect(page('success').flow.next).toBeNull();
});

test('page props: a landing outside the flow begins the visit and leads past the flow’s own', () => {
  expect(page('one_pager_ai')).toMatchObject({
    flow: { next: '/searching', backLeavesSite: true },
    fonts: null,
  });
});

test('page props: a page outside the funnel leads to the first screen', () => {
  for (const screen of ['fallback', 'crash', 'refused'] as const) {
    expect(page(screen)).toMatchObject({
      kind: 'ordinary',
      flow: { next: '/one_pager', backLeavesSite: true },
    });
  }
  const declined = page('payment_declined');
  expect(declined).toMatchObject({
    kind: 'ordinary',
    flow: { next: '/one_pager', backLeavesSite: false },
  });
});

test('page props: the invitee’s page links to no other screen', () => {
  expect(page('invited')).toMatchObject({
    kind: 'private',
    flow: { next: null, backLeavesSite: true },
    fonts: null,
  });
});

test('page props: a flow without sign-up or checkout uses its first screen', () => {
  const flow: Flow = ['one_pager_ai', 'success'];
  expect(page('success', { flow }).flow).toMatchObject({
    firstPath: '/one_pager_ai',
    numberPath: '/one_pager_ai',
    signupPath: '/one_pager_ai',
    checkoutPath: '/one_pager_ai',
  });
});

test('page props: contain the arm’s plans in the market’s currency', () => {
  const idsOf = ({ checkout, extras }: ReturnType<typeof page>) =>
    [...checkout.plans, extras.upsell, extras.guide].map(({ id }) => id);
  const families = ['monthly_7d', 'quarterly', 'upsell_monthly_799', 'guide_899'];
  expect(idsOf(page('signup'))).toEqual(families.map((family) => `${family}_usd`));
  const german = page('signup', { country: 'DE' });
  expect(idsOf(german)).toEqual(families.map((family) => `${family}_eur`));
  expect(idsOf(page('signup', { country: 'SE' }))).toEqual(idsOf(page('signup')));
});

test('page props: contain real e-mail hosts only in production', () => {
  const { shortcuts } = page('signup', { ENVIRONMENT: 'production' }).market;
  expect(shortcuts).toEqual(marketOf('US').shortcuts);
  const hosts = ['example.com', 'example.net', 'example.org'];
  expect(page('signup', { ENVIRONMENT: 'development' }).market.shortcuts).toEqual(hosts);
});

test('page props: configured e-mail hosts apply to their market only', () => {
  const own = ['gmx.de', 'web.de', 't-online.de'] as const;
  const offeredIn = (country: string, ENVIRONMENT = 'production') =>
    page('signup', { ENVIRONMENT, country, shortcuts: [['euro', own]] }).market.shortcuts;
  expect(offeredIn('DE')).toEqual(own);
  expect(offeredIn('US')).toEqual(marketOf('US').shortcuts);
  expect(offeredIn('DE', 'development')).toEqual(['example.com', 'example.net', 'example.org']);
});

test('page props: one market has one page, whatever the country', () => {
  expect(page('signup', { country: 'FR' })).toEqual(page('signup', { country: 'DE' }));
  expect(page('signup', { country: 'JP' })).toEqual(page('signup', { country: 'MX' }));
});

test('page props: contain ad networks’ scripts only on ordinary funnel screens', () => {
  const has = (screen: Parameters<typeof pageProps>[1]) =>
    page(screen, { META_PIXEL_ID: '1' }).document.pixels;
  expect([has('one_pager')?.meta, has('success')?.meta]).toEqual(['1', '1']);
  const others = ['checkout_v3_tr', 'upsell_guide', 'mail_link', 'open_app', 'terms'] as const;
  expect(others.map((screen) => has(screen))).toEqual(Array(5).fill(null));
  expect(page('one_pager').document.pixels).toBeNull();
});

test('page props: everything except production is a test', () => {
  expect(page('signup', { ENVIRONMENT: 'production' }).isTestMode).toBe(false);
  expect(page('signup', { ENVIRONMENT: 'test' }).isTestMode).toBe(true);
});

test('page props: legal pages have outside addresses or our own paths', () => {
  expect(page('signup', { TERMS_URL: 'https://example.com/terms' }).legal).toMatchObject({
    terms: 'https://example.com/terms',
    privacy: '/privacy',
    refunds: '/refunds',
    support: '/support',
  });
});

test('page props: contain Stripe’s wallets where they are enabled and Stripe takes payments', () => {
  const options: Parameters<typeof page>[1] = {
    ...{ country: 'DE', MERCHANT_COUNTRY: 'DE', STRIPE_SECRET_KEY: 'sk_test_fake' },
    stripeWallets: ['link', 'paypal'],
  };
  const offered = (change: typeof options) =>
    page('checkout_v3_tr', { ...options, ...change }).checkout.stripeWallets;
  expect(offered({})).toEqual(['link', 'paypal']);
  expect(offered({ MERCHANT_COUNTRY: 'US' })).toEqual(['link']);
  expect(offered({ stripeWallets: [] })).toEqual([]);
  expect(offered({ STRIPE_SECRET_KEY: '' })).toEqual([]);
});

test('page props: contain no secret', () => {
  const secrets = { STRIPE_SECRET_KEY: 'sk_live_canary', TOKEN_SECRET: 'canary' };
  expect(JSON.stringify(page('checkout_v3_tr', secrets))).not.toContain('canary');
});

test.each([
  ['production', undefined, null],
  ['production', 'true', 999],
  ['test', undefined, null],
  ['test', 'true', 999],
])(
  'page props: the price before a coupon in %s with REFERENCE_PRICES %j is struck out: %j',
  (ENVIRONMENT, REFERENCE_PRICES, struck) => {
    const { extras } = page('upsell_an_private', {
      ENVIRONMENT,
      REFERENCE_PRICES,
      upsell: 'upsell_monthly_999',
    });
    expect(extras.upsell).toMatchObject({ price: 699, listPrice: struck, coupon: { full: 999 } });
  },
);
test.each([
  ['production', undefined, null],
  ['production', 'true', 2899],
  ['test', undefined, null],
])(
  'page props: the list price in %s with REFERENCE_PRICES %j is %j',
  (ENVIRONMENT, REFERENCE_PRICES, list) => {
    expect(page('upsell_guide', { ENVIRONMENT, REFERENCE_PRICES }).extras.guide.listPrice).toBe(
      list,
    );
  },
);

test('link card: each theme and language has its own', async () => {
  const html = await (await request('/one_pager', { headers: { 'accept-language': 'de' } })).text();
  expect(html).toMatch(
    /<meta property="og:image" content="[^"]*\/static\/cards\/\w+\/geozilla-de\.png"/,
  );
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
});

test('link card: a page with personal content has none', async () => {
  expect(await (await request('/manage')).text()).not.toMatch(/og:|twitter:/);
});
