import { expect } from 'vitest';
import type { House } from './house.ts';
import { journey as plain } from './journey.ts';
import type { Visit } from './visit.ts';
import { goToSignup } from './walk.ts';

const journey = plain.override('vars', { PAYPAL: 'true' });

/** Their sheets can not be shown here: the stand-in of Stripe.js draws its own. */
function withWallets() {
  Object.assign(window, {
    ApplePaySession: { canMakePayments: () => true },
    PaymentRequest: class {
      canMakePayment = async () => false;
    },
  });
}

async function comeTo(screen: string, visitor: Visit, house: House) {
  const flow = ['one_pager', 'searching', 'signup', screen, 'upsell_an_private', 'success'];
  const variants = [{ key: 'fullPrice', weight: 100, flow: `to_${screen}` }];
  await house.configure(
    { experiment: screen, variants, coupons: { TEN: { percent: 10 } } },
    { flows: { [`to_${screen}`]: flow } },
  );
  await goToSignup(visitor);
  await visitor.giveEmail();
  await visitor.arriveAt(screen);
}

const offers = ({ page }: Visit) =>
  page.frameLocator('iframe[title="Secure express checkout frame"]').getByRole('button');

journey('Apple Pay first, for the plan and the code of the moment', async ({ visitor, house }) => {
  const { page } = visitor;
  await page.addInitScript(withWallets);
  await comeTo('paycheck_combo_3d', visitor, house);
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await offers(visitor).first().waitFor();
  expect(await offers(visitor).allTextContents()).toEqual(['Apple Pay', 'PayPal']);
  await page
    .locator('label')
    .filter({ has: page.locator('[value=quarterly_usd]') })
    .click();
  await page.getByText('Have a code?').click();
  await page.getByLabel('Code', { exact: true }).fill('ten');
  await page.getByRole('button', { name: 'Apply' }).click();
  await visitor.sees('Code TEN is applied.');
  await visitor.readsWell();
  await visitor.shoot('one-click');
  await offers(visitor).first().click();
  const sheet = page.frameLocator('iframe[title="Apple Pay sheet"]');
  expect(await sheet.locator('dl').textContent()).toContain('$53.99');
  await sheet.getByRole('button', { name: 'Pay' }).click();
  await visitor.arriveAt('upsell_an_private');
  expect(house.taken(visitor.email)).toEqual([
    { plan: 'quarterly_usd', amount: 5399, currency: 'usd' },
  ]);
});

journey('a declined wallet leads where a declined card does', async ({ visitor, house }) => {
  const { page } = visitor;
  await comeTo('checkout_h3_pp', visitor, house);
  await offers(visitor).first().click();
  const sheet = page.frameLocator('iframe[title="PayPal sheet"]');
  await sheet.getByLabel('Card that declines').check();
  await sheet.getByRole('button', { name: 'Pay' }).click();
  await visitor.arriveAt('payment_declined');
  expect(house.taken(visitor.email)).toEqual([]);
});

journey('an app’s own browser hands the visit to the visitor’s', async ({ another, house }) => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 300.0';
  const inside = await another({ userAgent, permissions: ['clipboard-read', 'clipboard-write'] });
  await comeTo('checkout_v3_pp', inside, house);
  await inside.shoot('in-app');
  await inside.tap('Copy the link');
  await inside.sees('Copied. It opens this page once, within 15 minutes.');
  const link = new URL(await inside.page.evaluate(() => navigator.clipboard.readText()));
  expect(link.href).not.toContain(inside.email);
  const outside = await another();
  await outside.open(`${link.pathname}${link.hash}`);
  await outside.arriveAt('checkout_v3_pp');
  await outside.page.locator('iframe[title="Secure card number input frame"]').waitFor();
});
