import { expect } from 'vitest';
import { appleWallet } from './braintree-fixture.ts';
import type { Visit } from './browser-session.ts';
import { bankFrame, challenge, openCard, payByBraintree } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import type { House } from './test-server.ts';
import { phones } from './walk-flow.ts';

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

async function comeToCheckout(visitor: Visit, house: House) {
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'lp11ch8b' }];
  await house.configure({ experiment: 'braintree', variants });
  await visitor.open();
  await visitor.enterPhone(phones.good);
  await visitor.sees('Number checked');
  await visitor.button.click();
  await visitor.arriveAt('signup');
  await visitor.giveEmail();
  await visitor.arriveAt(checkout);
}

const captured = ({ fakes }: House) => fakes.braintree.captures().map(({ amount }) => amount);
const main = { plan: 'monthly_usd', amount: 3999, currency: 'usd' };
const extra = { plan: 'upsell_monthly_999_usd', amount: 699, currency: 'usd' };

journey(
  'paid whole through Braintree, with an extra on the saved card',
  async ({ visitor, house }) => {
    const before = captured(house).length;
    await comeToCheckout(visitor, house);
    await visitor.readsWell();
    await visitor.waitLive('card-form');
    await openCard(visitor);
    await visitor.page.locator('iframe[title="Card number"]').waitFor();
    await visitor.readsWell();
    await visitor.shoot(checkout);
    await visitor.button.click();
    await visitor.sees('Please check the card number.');
    await payByBraintree(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    await visitor.button.click();
    await visitor.arriveAt('success');
    expect(captured(house).slice(before)).toEqual([3999, 699]);
    expect(house.taken(visitor.email)).toEqual([]);
    await expect.poll(() => house.booked(visitor.email)).toEqual([main, extra]);
  },
);

journey('declined by Braintree, then answered to the bank', async ({ visitor, house }) => {
  const before = captured(house).length;
  await comeToCheckout(visitor, house);
  await payByBraintree(visitor, cards.declined);
  await visitor.arriveAt('payment_declined');
  expect(await visitor.page.locator('main ul li').allTextContents()).toEqual([
    'Keep a sufficient balance on the card.',
    'Check that the card has no limit on online payments.',
    'Contact the card issuer.',
  ]);
  await visitor.tap('Try again');
  await visitor.arriveAt(checkout);
  await payByBraintree(visitor, cards.challenged);
  await challenge(visitor, 'Complete');
  await visitor.arriveAt('upsell_an_private');
  expect(captured(house).slice(before)).toEqual([3999]);
  await expect.poll(() => house.booked(visitor.email)).toEqual([main]);
});

journey(
  'the bank’s check is closed, then does not open, then is answered',
  async ({ visitor, house }) => {
    const { page } = visitor;
    const before = captured(house).length;
    await page.clock.install();
    await comeToCheckout(visitor, house);
    await payByBraintree(visitor, cards.challenged);
    await bankFrame(page).getByRole('button', { name: 'Complete' }).waitFor();
    await visitor.readsWell();
    await visitor.shoot('bank-check');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(await visitor.toast()).toMatch(/closed your bank’s check\. Nothing was charged/);
    const asked = Promise.withResolvers<void>();
    await page.route(/acs\.bank\.example\/challenge/, () => asked.resolve());
    await visitor.button.click();
    await asked.promise;
    await page.clock.runFor(25_000);
    expect(await visitor.toast()).toMatch(/did not open\. Nothing was charged/);
    expect(captured(house).length).toBe(before);
    await page.unroute(/acs\.bank\.example\/challenge/);
    await visitor.button.click();
    // The bank asks twice for one attempt; the third try is a new one.
    await visitor.toast();
    await visitor.button.click();
    await challenge(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(captured(house).slice(before)).toEqual([3999]);
  },
);

journey(
  'declined by Apple Pay, left at PayPal, then paid by it, with an extra',
  async ({ visitor, house }) => {
    const { page } = visitor;
    const before = captured(house).length;
    await page.addInitScript(await appleWallet());
    await comeToCheckout(visitor, house);
    const wallets = page.locator('[data-wallets]').getByRole('button');
    await wallets.first().waitFor();
    const names = ['Apple Pay', 'Google Pay', 'PayPal'];
    for (const [i, name] of names.entries()) {
      expect(
        (await wallets.nth(i).getAttribute('aria-label')) ?? (await wallets.nth(i).textContent()),
      ).toBe(name);
    }
    await visitor.readsWell();
    await visitor.shoot('braintree-wallets');
    const sheet = (name: string) => page.getByRole('dialog', { name: `${name} sheet` });
    await wallets.nth(0).click();
    expect(await sheet('Apple Pay').locator('dd').first().textContent()).toBe('39.99 USD');
    await sheet('Apple Pay').getByLabel('Card that declines').check();
    await sheet('Apple Pay').getByRole('button', { name: 'Pay' }).click();
    await visitor.arriveAt('payment_declined');
    await visitor.tap('Try again');
    await visitor.arriveAt(checkout);
    await wallets.nth(2).click();
    await sheet('PayPal').getByRole('button', { name: 'Cancel' }).click();
    await sheet('PayPal').waitFor({ state: 'detached' });
    expect([new URL(page.url()).pathname, captured(house).length]).toEqual([
      `/${checkout}`,
      before,
    ]);
    // The purchase runs until the page was seen to say so.
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
    expect(captured(house).slice(before)).toEqual([3999, 699]);
    await expect.poll(() => house.booked(visitor.email)).toEqual([main, extra]);
  },
);
