import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { journey } from './run-journey.ts';
import { buyPlan, openConsole } from './walk-flow.ts';

journey(
  'console: an operator finds a buyer and refunds a part; provider, mail and audit agree',
  async ({ visitor: buyer, another, server }) => {
    await buyPlan(buyer);

    const operator = await another({ viewport: { width: 1280, height: 900 } });
    const { page } = operator;
    await openConsole(operator, server);
    // A single match opens that person's page, which shows no payment until the ledger has it.
    const refundLinks = async () => {
      await operator.open('/console/people');
      await page.getByLabel('Find a person').fill(buyer.email.toUpperCase());
      await operator.tap('Find');
      const person = page.getByRole('heading', { name: buyer.email, level: 1 });
      await person.or(page.getByText('No account was found')).waitFor();
      return page.getByRole('link', { name: 'Refund' }).count();
    };
    await expect.poll(refundLinks, pollTimeout).toBe(1);
    await operator.checkAccessibility();
    await operator.tap('Refund');
    await page.getByLabel('Amount, USD').fill('10.00');
    await page.getByLabel('Reason').fill('<b>asked</b> by mail');
    await operator.checkAccessibility();
    await operator.tap('Continue');
    await operator.checkAccessibility();
    await page.getByRole('button', { name: 'Refund $10.00' }).click();
    await operator.sees('$10.00 was refunded.');

    const refunded = server.fakes.stripe.captures().map((capture) => capture.refunded);
    expect(refunded).toContain(1000);
    const mailed = () =>
      server.fakes.mail.inbox(buyer.email).filter(({ text }) => text.includes('$10.00')).length;
    await expect.poll(mailed, pollTimeout).toBeGreaterThan(0);
    await operator.tap('Audit');
    const entry = page.locator('.log details').filter({ hasText: '<b>asked</b> by mail' });
    await entry.filter({ hasText: '$10.00' }).filter({ hasText: buyer.email }).waitFor();
    for (const section of ['Money', 'Operations']) {
      await operator.tap(section);
      await page.getByRole('heading', { name: section, exact: true, level: 1 }).waitFor();
      await operator.checkAccessibility();
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await operator.checkAccessibility();
  },
);
