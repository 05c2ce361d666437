import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { openCheckout } from './open-checkout.ts';
import { challenge } from './pay.ts';
import { journey as plain } from './run-journey.ts';

// PayPal through Braintree.
const journey = plain.extend('vars', { scope: 'file' }, { PAYPAL: 'true' });

/** Real wallet sheets cannot open here; the fake of Stripe.js draws its own. */
function withWallets() {
  Object.assign(window, {
    ApplePaySession: { canMakePayments: () => true },
    PaymentRequest: class {
      canMakePayment = async () => false;
    },
  });
}

const offers = ({ page }: Visit) =>
  page.frameLocator('#methods iframe[title="Secure express checkout frame"]').getByRole('button');

journey(
  'wallets: come first, are declined, challenged, then charged once',
  async ({ visitor, server }) => {
    const { page } = visitor;
    await page.addInitScript(withWallets);
    await openCheckout('checkout_v3_tr', visitor, server);
    await page.locator('#methods').scrollIntoViewIfNeeded();
    // The wallet comes first; the card stays open below it.
    await offers(visitor).first().waitFor();
    const card = page.getByRole('button', { name: /^Pay \$/ });
    const [first, second] = await Promise.all(
      [offers(visitor).first(), card].map((one) => one.boundingBox()),
    );
    expect(first?.y).toBeLessThan(second?.y ?? 0);
    const sheet = page.getByRole('dialog', { name: 'Apple Pay sheet' });
    const pay = async (label: string) => {
      await page.locator('#methods').scrollIntoViewIfNeeded();
      await offers(visitor).first().click();
      await sheet.getByLabel(label).check();
      await sheet.getByRole('button', { name: 'Pay' }).click();
    };
    await pay('Card that declines');
    await visitor.arriveAt('payment_declined');
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);
    await visitor.sees('Choose another card in Apple Pay.');
    await page.getByRole('link', { name: 'Pay by card' }).click();
    await visitor.arriveAt('checkout_v3_tr');
    const told = page.getByText('Apple Pay was declined. Nothing was charged.');
    expect((await told.boundingBox())?.y).toBeLessThan(200);
    expect((await card.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
    await pay('Card whose bank asks');
    await challenge(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    await visitor.button.click();
    await challenge(visitor, 'Complete');
    await visitor.arriveAt('success');
    expect(server.gatewayCaptures(visitor.email).map(({ amount }) => amount)).toEqual([5999, 699]);
  },
);
