import { expect } from 'vitest';
import { textsOf } from '../locales/flat-texts.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { openStripeCheckout, pressAtProvider } from './open-checkout.ts';
import { journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';

// Braintree offers PayPal, too, but a page has only one such button.
const journey = plain
  .extend('country', { scope: 'file' }, 'NL')
  .extend('vars', { scope: 'file' }, { MERCHANT_COUNTRY: 'NL', PAYPAL: 'true' });

const paid = [{ plan: 'quarterly_eur', amount: 5999, currency: 'eur' }];

async function openWalletCheckout(visitor: Visit, server: TestServer, consent: 'yes' | 'no') {
  await openStripeCheckout(visitor, server, { stripe_wallets: ['link', 'paypal'] }, consent);
  await visitor.page.locator('#methods').scrollIntoViewIfNeeded();
  await visitor.waitLive('wallet-buttons');
}

const payPal = ({ page }: Visit) => page.getByRole('button', { name: 'PayPal', exact: true });
const link = ({ page }: Visit) =>
  page
    .frameLocator('#methods iframe[title="Secure express checkout frame"]')
    .getByRole('button', { name: 'Link' });

async function goToPayPal(visitor: Visit) {
  await payPal(visitor).click();
  await visitor.page.getByRole('heading', { name: 'Test payment page' }).waitFor();
}

journey(
  'PayPal by Stripe, in Arabic: is cancelled there, then paid once, and the extra needs no approval',
  async ({ another, server }) => {
    const visitor = await another({ locale: 'ar' });
    await openWalletCheckout(visitor, server, 'no');
    await expect.poll(() => payPal(visitor).count(), pollTimeout).toBe(1);
    await visitor.shoot('wallets-ar');
    await goToPayPal(visitor);
    await pressAtProvider(visitor, 'Fail');
    await visitor.sees(textsOf('ar', 'islands.json').get('payment-return.declined') ?? '');
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.checkAccessibility('paypal-refused-ar');
    await goToPayPal(visitor);
    await pressAtProvider(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email), pollTimeout).toEqual(paid);
    await visitor.button.click();
    await visitor.arriveAt('success');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(2);
  },
);

journey('wallets: PayPal, Google Pay and Link are equally wide', async ({ another, server }) => {
  const visitor = await another({});
  await openWalletCheckout(visitor, server, 'yes');
  await payPal(visitor).scrollIntoViewIfNeeded();
  const google = visitor.page
    .frameLocator('#methods iframe[title="Secure express checkout frame"]')
    .getByRole('button', { name: 'Google Pay' });
  // Stripe's frame draws its buttons anew after PayPal's has made room.
  await expect
    .poll(async () => {
      const buttons = [payPal(visitor), link(visitor), google];
      const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
      const widths = boxes.map((box) => box?.width ?? 0);
      return Math.max(...widths) - Math.min(...widths);
    }, pollTimeout)
    .toBeLessThan(1);
  await visitor.shoot('three-wallets');
});
