import { expect } from 'vitest';
import { payByBraintree } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import { goToCheckout, openApp } from './walk-flow.ts';

/** A deployment that never heard of Stripe. */
const journey = plain.extend(
  'vars',
  { scope: 'file' },
  {
    STRIPE_SECRET_KEY: '',
    STRIPE_PUBLISHABLE_KEY: '',
    STRIPE_ACCOUNT_NAME: '',
    STRIPE_PRODUCT: '',
    STRIPE_WEBHOOK_SECRET: '',
  },
);

journey('Braintree alone takes the card of the whole funnel', async ({ visitor, house }) => {
  const health = await (await fetch(`${house.url}/healthz`)).json();
  expect(health).toMatchObject({ ok: true, payments: [] });
  await goToCheckout(visitor);
  await payByBraintree(visitor, '4111 1111 1111 1111');
  await visitor.arriveAt('upsell_an_private');
  await visitor.button.click();
  await visitor.arriveAt('success');
  await openApp(visitor);
  await expect
    .poll(async () => (await house.booked(visitor.email)).map(({ plan }) => plan))
    .toEqual(['monthly_usd', expect.stringMatching(/^upsell_/)]);
  expect(house.taken(visitor.email)).toEqual([]);
  expect(house.sent.filter(({ url }) => url.includes('stripe.com'))).toEqual([]);
});
