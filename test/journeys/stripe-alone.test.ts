import { expect } from 'vitest';
import { cards, payWith } from './pay.ts';
import { full, journey as plain } from './run-journey.ts';
import { goToCheckout, openApp } from './walk-flow.ts';

/** A deployment without Braintree. */
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

journey.runIf(full)(
  'stripe only: the whole funnel is paid by card',
  async ({ visitor, server }) => {
    const health = await (await fetch(`${server.url}/healthz`)).json();
    expect(health).toMatchObject({ ok: true, payments: [] });
    await goToCheckout(visitor);
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    await visitor.button.click();
    await visitor.arriveAt('success');
    await openApp(visitor);
    await expect
      .poll(async () => (await server.booked(visitor.email)).map(({ plan }) => plan))
      .toEqual(['quarterly_usd', expect.stringMatching(/^upsell_/)]);
    expect(server.taken(visitor.email)).toHaveLength(2);
    expect(server.sent.filter(({ url }) => /braintree/.test(url))).toEqual([]);
  },
);
