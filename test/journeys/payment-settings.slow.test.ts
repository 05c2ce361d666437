import { expect } from 'vitest';
import { cards, payWith } from './pay.ts';
import { full, journey as plain } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

/** Without a default key there is no card form until the settings are known. */
const journey = plain.extend('vars', { scope: 'file' }, { STRIPE_PUBLISHABLE_KEY: '' });

journey.runIf(full)(
  'payment settings: failing ones are requested in one round for the page, which says so and can try again',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const requested: string[] = [];
    let isDown = true;
    await page.route('**/api/v1/users/me/payments-settings', async (route) => {
      requested.push(new URL(page.url()).pathname);
      if (isDown) return route.fulfill({ status: 500, json: { errors: { code: 'unexpected' } } });
      const json = { stripe_publishable_key: 'pk_test_fake', stripe_account_name: 'Fake' };
      return route.fulfill({ json });
    });
    visitor.expects(/payments-settings$/, 500);
    await startAtCheckout(visitor);
    await visitor.sees('The secure card fields didn’t load. Please try again.');
    // The request and the two retries of the specification, for the card form and the wallets together.
    expect(requested).toEqual(Array(3).fill('/checkout_v3_tr'));
    await visitor.checkAccessibility('settings-failed');

    isDown = false;
    await visitor.tap('Try again');
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    expect(requested.filter((path) => path === '/checkout_v3_tr')).toHaveLength(4);
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);
