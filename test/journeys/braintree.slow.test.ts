import { expect } from 'vitest';
import { appleWallet } from './braintree-fixture.ts';
import type { Visit } from './browser-session.ts';
import { challenge, payByBraintree } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { goToSignup } from './walk-flow.ts';

const journey = plain.extend(
  'vars',
  { scope: 'file' },
  { BRAINTREE_THREE_D_SECURE: 'always', PAYPAL: 'true' },
);

/** developer.paypal.com/braintree/docs/reference/general/testing */
const cards = {
  approved: '4111 1111 1111 1111',
  declined: '4000 1111 1111 1115',
  challenged: '4000 0000 0000 1091',
} as const;

const checkout = 'checkout_h3_pp_braintree';

async function openBraintreeCheckout(visitor: Visit, server: TestServer) {
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'lp11ch8b' }];
  await server.configure({ experiment: 'braintree', variants });
  await goToSignup(visitor);
  await visitor.giveEmail();
  await visitor.arriveAt(checkout);
}

const captured = ({ fakes }: TestServer) => fakes.braintree.captures().map(({ amount }) => amount);
const main = { plan: 'quarterly_usd', amount: 5999, currency: 'usd' };
const extra = { plan: 'upsell_monthly_999_usd', amount: 699, currency: 'usd' };

journey('braintree: a challenged card pays after a decline', async ({ visitor, server }) => {
  const before = captured(server).length;
  await openBraintreeCheckout(visitor, server);
  await payByBraintree(visitor, cards.declined);
  await visitor.arriveAt('payment_declined');
  expect(
    await visitor.page.locator('main ul li').filter({ visible: true }).allTextContents(),
  ).toEqual([
    'Check there’s enough money on the card.',
    'Check that the card has no limit on online payments.',
    'Contact the card issuer.',
  ]);
  await visitor.tap('Try this card again');
  await visitor.arriveAt(checkout);
  await payByBraintree(visitor, cards.challenged);
  await challenge(visitor, 'Complete');
  await visitor.arriveAt('upsell_an_private');
  expect(captured(server).slice(before)).toEqual([5999]);
  await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual([main]);
});

journey(
  'braintree: Apple Pay is declined, PayPal is left, then pays, with an extra',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const before = captured(server).length;
    await page.addInitScript(await appleWallet());
    await openBraintreeCheckout(visitor, server);
    const wallets = page.locator('[data-wallets]').getByRole('button');
    await wallets.first().waitFor();
    const names = ['Apple Pay', 'Google Pay', 'PayPal'];
    for (const [i, name] of names.entries()) {
      expect(
        (await wallets.nth(i).getAttribute('aria-label')) ?? (await wallets.nth(i).textContent()),
      ).toBe(name);
    }
    await visitor.checkAccessibility('braintree-wallets');
    const sheet = (name: string) => page.getByRole('dialog', { name: `${name} sheet` });
    await wallets.nth(0).click();
    expect(await sheet('Apple Pay').locator('dd').first().textContent()).toBe('59.99 USD');
    await sheet('Apple Pay').getByLabel('Card that declines').check();
    await sheet('Apple Pay').getByRole('button', { name: 'Pay' }).click();
    await visitor.arriveAt('payment_declined');
    await page.locator('#other-method').click();
    await visitor.arriveAt(checkout);
    await wallets.nth(2).click();
    await sheet('PayPal').getByRole('button', { name: 'Cancel' }).click();
    await sheet('PayPal').waitFor({ state: 'detached' });
    expect([new URL(page.url()).pathname, captured(server).length]).toEqual([
      `/${checkout}`,
      before,
    ]);
    // Holds the response until the page has shown the running purchase.
    await page.route('**/users/me/subscriptions/*', async (route) => {
      await visitor.sees('Your payment is being processed. Please keep this page open.');
      await route.continue();
    });
    await wallets.nth(2).click();
    await sheet('PayPal').getByRole('button', { name: 'Pay' }).click();
    await visitor.arriveAt('upsell_an_private');
    await page.unroute('**/users/me/subscriptions/*');
    await visitor.button.click();
    await visitor.arriveAt('success');
    expect(captured(server).slice(before)).toEqual([5999, 699]);
    await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual([main, extra]);
  },
);
