import { expect } from 'vitest';
import { cards, clickBelowFrames, fillCard } from './pay.ts';
import { journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

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
