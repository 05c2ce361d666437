import { expect } from 'vitest';
import { cards, payWith } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import { goToCheckout, openApp } from './walk-flow.ts';

/** A deployment that never heard of Braintree. */
const journey = plain.extend(
  'vars',
  { scope: 'file' },
  {
    BRAINTREE_MERCHANT_ID: '',
    BRAINTREE_PUBLIC_KEY: '',
    BRAINTREE_PRIVATE_KEY: '',
    BRAINTREE_ENVIRONMENT: '',
    BRAINTREE_MERCHANT_ACCOUNTS: '',
  },
);

journey('Stripe alone takes the card of the whole funnel', async ({ visitor, house }) => {
  const health = await (await fetch(`${house.url}/healthz`)).json();
  expect(health).toMatchObject({ ok: true, payments: [] });
  await goToCheckout(visitor);
  await payWith(visitor, cards.approved);
  await visitor.arriveAt('upsell_an_private');
  await visitor.button.click();
  await visitor.arriveAt('success');
  await openApp(visitor);
  await expect
    .poll(async () => (await house.booked(visitor.email)).map(({ plan }) => plan))
    .toEqual(['monthly_usd', expect.stringMatching(/^upsell_/)]);
  expect(house.taken(visitor.email)).toHaveLength(2);
  expect(house.sent.filter(({ url }) => /braintree/.test(url))).toEqual([]);
});
