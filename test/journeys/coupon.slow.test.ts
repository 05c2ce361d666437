import { expect } from 'vitest';
import { cards, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { goToCheckout, startAtCheckout } from './walk-flow.ts';

journey('coupon: lowers the charge of the plans that it covers', async ({ visitor, server }) => {
  await server.configure({
    experiment: 'coupons',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
    coupons: { SAVE20: { percent: 20, plans: ['quarterly'] } },
  });
  const { page, button } = visitor;
  visitor.expects(/\/coupons$/, 422);
  const choose = (plan: string) =>
    page
      .locator('label')
      .filter({ has: page.locator(`[value=${plan}]`) })
      .click();
  await startAtCheckout(visitor);
  await visitor.waitLive('order-summary');
  await choose('monthly_usd');
  const order = page.locator('section:has(> dl):visible');
  const field = page.getByLabel('Code', { exact: true });
  await page.getByText('Have a code?').click();
  await field.fill('nothing');
  await page.getByRole('button', { name: 'Apply' }).click();
  await visitor.sees('We don’t recognize this code.');
  await field.fill('save20');
  await page.getByRole('button', { name: 'Apply' }).click();
  await visitor.sees('This code doesn’t apply to this plan.');
  await visitor.checkAccessibility('coupon-refused');

  await choose('quarterly_usd');
  await visitor.sees('SAVE20 −$12.00');
  await expect.poll(() => order.textContent()).toContain('Today you pay$59.99$47.99');
  await expect.poll(() => button.textContent()).toBe('Pay $47.99');
  await visitor.checkAccessibility('coupon-applied');

  await choose('monthly_usd');
  await visitor.sees('This code doesn’t apply to this plan.');
  await expect.poll(() => button.textContent()).toBe('Pay $39.99');
  await choose('quarterly_usd');
  await visitor.sees('SAVE20 −$12.00');

  await payWith(visitor, cards.approved);
  await visitor.arriveAt('upsell_an_private');
  expect(server.gatewayCaptures(visitor.email)).toEqual([
    { plan: 'quarterly_usd', amount: 4799, currency: 'usd' },
  ]);
});

journey(
  'coupon: a link’s code is applied at the checkout, and an unknown one is said to be unknown',
  async ({ visitor, server }) => {
    await server.configure({
      experiment: 'coupons',
      variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
      coupons: { SAVE20: { percent: 20, renewals: 2 } },
    });
    const { page, button } = visitor;
    visitor.expects(/\/coupons$/, 422);
    await goToCheckout(visitor, '?coupon=save20');
    await visitor.sees('SAVE20 −$12.00');
    await expect.poll(() => button.textContent()).toBe('Pay $47.99');
    // In the order, and below the button.
    const then = page.locator('bdi[data-renewal]:visible');
    for (const at of [0, 1])
      await expect
        .poll(() => then.nth(at).textContent())
        .toMatch(/^Then \$47\.99.+ from .+ · Then \$59\.99.+ from [^$]+$/);
    await page.goto(page.url().replace('save20', 'nothing'));
    await visitor.sees('We don’t recognize this code.');
    await expect.poll(() => button.textContent()).toBe('Pay $59.99');
    expect(await then.first().textContent()).toMatch(/^Then \$59\.99[^$]+$/);
  },
);
