import { expect } from 'vitest';
import { cards, clickBelowFrames, fillCard, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { buyPlan, startAtCheckout } from './walk-flow.ts';

const subscriptions = /\/users\/me\/subscriptions\//;

journey(
  'wallets: a payment that fails names the card as the other way, and the card pays once',
  async ({ visitor, server }) => {
    const { page } = visitor;
    await startAtCheckout(visitor);
    await page.locator('#methods').scrollIntoViewIfNeeded();
    await page.route(subscriptions, (route) => route.abort());
    visitor.expects(subscriptions, 'aborted');
    visitor.expects(/\/static\/js\//, 'logged');
    await page
      .frameLocator('#methods iframe[title="Secure express checkout frame"]')
      .getByRole('button', { name: 'Google Pay' })
      .click();
    const sheet = page.getByRole('dialog', { name: 'Google Pay sheet' });
    await sheet.getByRole('button', { name: 'Pay' }).click();
    const failed = page.locator('[data-wallets] [role=alert]').filter({ visible: true });
    await failed.waitFor();
    await visitor.checkAccessibility('wallet-failed');
    await page.unroute(subscriptions);
    await fillCard(visitor, cards.approved);
    await clickBelowFrames(visitor.button);
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);

journey.runIf(full)(
  'upsell: an extra to a plan that was cancelled in another tab is refused, with the way to the purchases',
  async ({ visitor, server }) => {
    await buyPlan(visitor);
    await visitor.waitLive('upsell-offer');
    const second = await visitor.inNewTab();
    await second.open('/cancel');
    await second.tap('Continue to cancel');
    await second.tap('Cancel now');
    await second.sees('All done');
    visitor.expects(subscriptions, 409);
    await visitor.tap(/^Add for/);
    const offer = visitor.page.locator('x-island[name=upsell-offer]');
    await offer.getByRole('alert').waitFor();
    await offer.getByRole('link', { name: 'Your purchases' }).waitFor();
    await visitor.checkAccessibility('upsell-refused');
    await visitor.tap('Continue to the invitation');
    await visitor.arriveAt('success');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);

journey.runIf(full)(
  'declined page: an expired card is not offered again, another card pays',
  async ({ visitor, server }) => {
    const { page } = visitor;
    await startAtCheckout(visitor);
    await payWith(visitor, '4000 0000 0000 0069');
    await visitor.arriveAt('payment_declined');
    expect(await page.getByRole('link', { name: 'Try this card again' }).isVisible()).toBe(false);
    await visitor.checkAccessibility('declined-for-good');
    await visitor.tap('Use another card');
    await visitor.arriveAt('checkout_v3_tr');
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);
