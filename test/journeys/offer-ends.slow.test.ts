import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { cards, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { phones } from './walk-flow.ts';

const minute = 60_000;

journey(
  'lp17ch17pr5: the intro ends with its countdown, for good, and the full price is sold instead',
  async ({ visitor, server }) => {
    const { page, button } = visitor;
    await server.configure({
      experiment: 'ending-intro',
      variants: [{ key: 'intro/5d', weight: 100, flow: 'lp17ch17pr5' }],
    });
    await visitor.open();
    await visitor.arriveAt('one_pager_all');
    await visitor.enterPhone(phones.abroad);
    await visitor.arriveAt('searching_2');
    await visitor.sees('Number checked');
    await button.click();
    await visitor.arriveAt('signup_testim');
    await visitor.giveEmail();
    await visitor.arriveAt('paycheck1_pr5_h_win');
    await visitor.sees('We’re holding the $4.99 price for');

    // Two minutes later the browser's storage is cleared: the server still knows the start.
    await server.ageOffer(visitor.email, 2 * minute);
    await page.evaluate(() => localStorage.removeItem('funnel:1:app'));
    await page.reload();
    const clock = page.locator('[data-fill="app.timer"]');
    await expect.poll(() => clock.textContent(), pollTimeout).toMatch(/^[012]:/);

    await page.locator('input[value=monthly_5d_usd]').check({ force: true });
    await server.ageOffer(visitor.email, 6 * minute);
    visitor.expects(/subscriptions\/polling\/monthly_5d_usd$/, 409);
    await page.getByRole('link', { name: /^(Continue to payment|Pay by card)$/ }).click();
    await payWith(visitor, cards.approved);
    await visitor.sees('This offer has ended, so nothing was charged.');
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);
    await button.filter({ hasText: '$39.99' }).waitFor();
    await visitor.checkAccessibility('offer-ended');
    await button.click();
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual([
      { plan: 'monthly_usd', amount: 3999, currency: 'usd' },
    ]);
  },
);
