import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { cards, payByBraintree, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { goToCheckout, openApp } from './walk-flow.ts';

const withoutStripe = {
  STRIPE_SECRET_KEY: '',
  STRIPE_PUBLISHABLE_KEY: '',
  STRIPE_ACCOUNT_NAME: '',
  STRIPE_PRODUCT: '',
  STRIPE_WEBHOOK_SECRET: '',
};
const withoutBraintree = {
  BRAINTREE_MERCHANT_ID: '',
  BRAINTREE_PUBLIC_KEY: '',
  BRAINTREE_PRIVATE_KEY: '',
  BRAINTREE_ENVIRONMENT: '',
  BRAINTREE_MERCHANT_ACCOUNTS: '',
};

async function buyAll(visitor: Visit, server: TestServer, pay: () => Promise<void>) {
  const health = await (await fetch(`${server.url}/healthz`)).json();
  expect(health).toMatchObject({ ok: true, payments: [] });
  await goToCheckout(visitor);
  await pay();
  await visitor.arriveAt('upsell_an_private');
  await visitor.button.click();
  await visitor.arriveAt('success');
  await openApp(visitor);
  await expect
    .poll(async () => (await server.ledgerCaptures(visitor.email)).map(({ plan }) => plan))
    .toEqual(['quarterly_usd', expect.stringMatching(/^upsell_/)]);
}

journey.extend('vars', { scope: 'file' }, withoutStripe).runIf(full)(
  'braintree only: the whole funnel is paid by card',
  async ({ visitor, server }) => {
    await buyAll(visitor, server, () => payByBraintree(visitor, '4111 1111 1111 1111'));
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);
    expect(server.sent.filter(({ url }) => url.includes('stripe.com'))).toEqual([]);
  },
);

journey.extend('vars', { scope: 'file' }, withoutBraintree).runIf(full)(
  'stripe only: the whole funnel is paid by card',
  async ({ visitor, server }) => {
    await buyAll(visitor, server, () => payWith(visitor, cards.approved));
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(2);
    expect(server.sent.filter(({ url }) => /braintree/.test(url))).toEqual([]);
  },
);
