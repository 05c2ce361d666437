import { expect } from 'vitest';
import { payByBraintree } from './pay.ts';
import { full, journey as plain } from './run-journey.ts';
import { goToCheckout, openApp } from './walk-flow.ts';

/** A deployment without Stripe. */
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

journey.runIf(full)(
  'braintree only: the whole funnel is paid by card',
  async ({ visitor, server }) => {
    const health = await (await fetch(`${server.url}/healthz`)).json();
    expect(health).toMatchObject({ ok: true, payments: [] });
    await goToCheckout(visitor);
    await payByBraintree(visitor, '4111 1111 1111 1111');
    await visitor.arriveAt('upsell_an_private');
    await visitor.button.click();
    await visitor.arriveAt('success');
    await openApp(visitor);
    await expect
      .poll(async () => (await server.booked(visitor.email)).map(({ plan }) => plan))
      .toEqual(['quarterly_usd', expect.stringMatching(/^upsell_/)]);
    expect(server.taken(visitor.email)).toEqual([]);
    expect(server.sent.filter(({ url }) => url.includes('stripe.com'))).toEqual([]);
  },
);
