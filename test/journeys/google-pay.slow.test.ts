import { expect } from 'vitest';
import { journey } from './run-journey.ts';
import { goToCheckout } from './walk-flow.ts';

journey(
  'default flow: Google Pay opens the test sheet in plain Chromium, can be left, then pays once',
  async ({ visitor, server }) => {
    const { page } = visitor;
    await goToCheckout(visitor);
    const button = page
      .frameLocator('#methods iframe[title="Secure express checkout frame"]')
      .getByRole('button', { name: 'Google Pay' });
    const sheet = page.getByRole('dialog', { name: 'Google Pay sheet' });
    await page.locator('#methods').scrollIntoViewIfNeeded();
    await button.click();
    await expect.poll(() => sheet.locator('dl').textContent()).toContain('$59.99');
    await visitor.checkAccessibility('google-pay');
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);
    await button.click();
    await sheet.getByRole('button', { name: 'Pay' }).click();
    await visitor.arriveAt('upsell_an_private');
    await visitor.tap('No thanks');
    await visitor.arriveAt('success');
    const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual(paid);
  },
);
