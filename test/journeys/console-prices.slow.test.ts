import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { newVisitor } from './new-visitor.ts';
import { journey } from './run-journey.ts';
import { startServer } from './test-server.ts';
import { openConsole } from './walk-flow.ts';

const eachSecond = { ...pollTimeout, interval: 1000 };

journey(
  'console: a marketer adds a plan in four currencies, sees it in a country, publishes it, and it is sold',
  async ({ browser }) => {
    const server = await startServer({ vars: {}, country: 'US' });
    const marketer = await newVisitor(browser, server, {
      viewport: { width: 1280, height: 900 },
    });
    const { page } = marketer;
    try {
      await openConsole(marketer, server);
      await marketer.tap('Prices');
      await marketer.checkAccessibility();
      await marketer.tap('Add a plan');
      await page.getByLabel('Name').fill('Yearly plan');
      await page.getByLabel('Renews').selectOption('year');
      await page.getByLabel('At first the buyer').selectOption('free');
      await page.getByLabel('Price in US Dollar', { exact: true }).fill('99');
      const chosen = page.getByRole('checkbox', { name: /^Sell in (British Pound|Japanese Yen)$/ });
      for (const box of await chosen.all()) await box.check();
      marketer.expects(/prices\/product\/review/, 422);
      await page.getByLabel('Price in US Dollar', { exact: true }).press('Enter');
      await marketer.sees('missing; the catalog offers EUR');
      await marketer.tap('Suggest the other prices');
      await marketer.checkAccessibility();
      await page.getByLabel('Country').selectOption('GB');
      await marketer.tap('Show the page');
      const phone = page.frameLocator('iframe').last();
      await phone.getByText('£').first().waitFor();
      await marketer.tap('Review the plan');
      await marketer.sees('“Yearly plan” is new. Buyers get 7 days free, then pay $99.00');
      await marketer.checkAccessibility();
      await page.getByLabel('Reason').fill('a year');
      await marketer.tap('Publish');
      await marketer.sees('Published version');
      await marketer.sees('a year');
      await marketer.checkAccessibility();

      const sold = async () => (await fetch(`${server.url}/checkout_v3_tr`)).text();
      await expect.poll(sold, eachSecond).toContain('yearly_plan_usd');
    } finally {
      await page.context().close();
      await server.close();
      marketer.check();
    }
  },
);
