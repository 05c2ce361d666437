import { expect } from 'vitest';
import type { House } from './house.ts';
import { journey as plain } from './journey.ts';
import { challenge } from './pay.ts';
import type { Visit } from './visit.ts';
import { phones } from './walk.ts';

const journey = plain.override('vars', { BRAINTREE_THREE_D_SECURE: 'always' });

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

async function payWith({ page, button }: Visit, number: string) {
  const field = (title: string) => page.frameLocator(`iframe[title="${title}"]`).locator('input');
  await field('Card number').fill(number);
  await field('Expiry date, month and year').fill('12 / 34');
  await field('Security code').fill('123');
  await button.click();
}

const captured = ({ fakes }: House) => fakes.braintree.captures().map(({ amount }) => amount);
const main = { plan: 'monthly_usd', amount: 3999, currency: 'usd' };
const extra = { plan: 'upsell_monthly_799_usd', amount: 799, currency: 'usd' };

journey(
  'paid whole through Braintree, with an extra on the saved card',
  async ({ visitor, house }) => {
    await comeToCheckout(visitor, house);
    await visitor.page.locator('iframe[title="Card number"]').waitFor();
    await visitor.readsWell();
    await visitor.shoot(checkout);
    await visitor.button.click();
    await visitor.sees('Please check the card number.');
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    await visitor.button.click();
    await visitor.arriveAt('success');
    expect(captured(house)).toEqual([3999, 799]);
    expect(house.taken(visitor.email)).toEqual([]);
    await expect.poll(() => house.booked(visitor.email)).toEqual([main, extra]);
  },
);

journey('declined by Braintree, then answered to the bank', async ({ visitor, house }) => {
  const before = captured(house).length;
  await comeToCheckout(visitor, house);
  await payWith(visitor, cards.declined);
  await visitor.arriveAt('payment_declined');
  expect(await visitor.page.locator('main ul li').allTextContents()).toEqual([
    'Keep a sufficient balance on the card.',
    'Check that the card has no limit on online payments.',
    'Contact the card issuer.',
  ]);
  await visitor.tap('Try again');
  await visitor.arriveAt(checkout);
  await payWith(visitor, cards.challenged);
  await challenge(visitor, 'Complete');
  await visitor.arriveAt('upsell_an_private');
  expect(captured(house).slice(before)).toEqual([3999]);
  await expect.poll(() => house.booked(visitor.email)).toEqual([main]);
});
