import { expect } from 'vitest';
import catalog from '../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { withSecondMonthly } from '../second-version.ts';
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
    await visitor.sees(/^We’ll charge .?\w+ •••• \d{4}.?$/);
    await visitor.tap('No thanks');
    await visitor.arriveAt('success');
    const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual(paid);
  },
);

journey(
  'free trial: Google Pay stays when a plan that begins free is chosen, and for the plan chosen after it',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const { prices } = catalog.products.monthly.versions[1];
    await server.configure(
      {
        experiment: 'trial',
        variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
        offers: {
          fullPrice: {
            plans: ['monthly', 'quarterly'],
            preselect: 'quarterly',
            upsell: 'upsell_monthly_999',
            guide: 'guide_1799',
          },
        },
      },
      { flows: {} },
      withSecondMonthly({ prices, intro: { days: 7, free: true } }),
    );
    await goToCheckout(visitor);
    const button = page
      .frameLocator('#methods iframe[title="Secure express checkout frame"]')
      .getByRole('button', { name: 'Google Pay' });
    const sheet = page.getByRole('dialog', { name: 'Google Pay sheet' });
    for (const [plan, total] of [
      ['quarterly_usd', '$59.99'],
      ['monthly@2_usd', '$0.00'],
      ['quarterly_usd', '$59.99'],
      ['monthly@2_usd', '$0.00'],
    ] as const) {
      await page
        .locator('label:visible')
        .filter({ has: page.locator(`[value="${plan}"]`) })
        .click();
      await page.locator('#methods').scrollIntoViewIfNeeded();
      await button.click();
      await expect.poll(() => sheet.locator('dl').textContent()).toContain(total);
      await sheet.getByRole('button', { name: 'Cancel' }).click();
      await sheet.waitFor({ state: 'detached' });
    }
    await button.click();
    await sheet.getByRole('button', { name: 'Pay' }).click();
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);
  },
);
