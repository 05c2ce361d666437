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
      await page.getByRole('textbox', { name: 'Name' }).fill('Yearly plan');
      await page.getByLabel('Renews').selectOption('year');
      await page.getByLabel('At first the buyer').selectOption('free');
      await page.getByLabel('Price in US Dollar', { exact: true }).fill('99');
      await page.getByLabel('Price in British Pound', { exact: true }).fill('85');
      await page.getByLabel('Price in Japanese Yen', { exact: true }).fill('14800');
      await page.getByLabel('Visitor’s country').selectOption('GB');
      const euro = page.getByLabel('Price in Euro', { exact: true });
      await expect.poll(() => euro.inputValue(), eachSecond).toBe('99.00');
      await marketer.checkAccessibility();
      const phone = page.frameLocator('iframe').last();
      await phone.getByText('£').first().waitFor();
      await marketer.tap('Review the plan');
      await marketer.sees('“Yearly plan” is new. Buyers get 7 days free, then pay $99.00');
      await marketer.checkAccessibility();
      await marketer.tap('Publish');
      await marketer.sees('Published version');
      await marketer.sees('New plan Yearly plan');
      await marketer.checkAccessibility();
      const opened = page.waitForEvent('popup');
      await page.getByRole('status').getByRole('link', { name: 'See it on the site' }).click();
      const site = await opened;
      await site.getByText('£85.00').filter({ visible: true }).first().waitFor();
      await site.locator('x-island[live]').first().waitFor({ state: 'attached' });

      const sold = async () => (await fetch(`${server.url}/checkout_v3_tr`)).text();
      await expect.poll(sold, eachSecond).toContain('yearly_plan_usd');
    } finally {
      await page.context().close();
      await server.close();
      marketer.check();
    }
  },
);
