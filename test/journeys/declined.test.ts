import { expect } from 'vitest';
import { cards, clickBelowFrames, fillCard, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { buyPlan, payAndFinish, startAtCheckout } from './walk-flow.ts';

journey.runIf(full)(
  'checkout: another card pays after a declined card',
  async ({ visitor, server }) => {
    await startAtCheckout(visitor);
    await payWith(visitor, cards.declined);
    await visitor.arriveAt('payment_declined');
    expect(await visitor.heading.textContent()).toBe('Payment declined');
    expect(await visitor.page.locator('main ul li').allTextContents()).toEqual([
      'Keep a sufficient balance on the card.',
      'Check that the card has no limit on online payments.',
      'Contact the card issuer.',
    ]);
    await visitor.checkAccessibility('payment_declined');
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);

    await visitor.tap('Try again');
    await visitor.arriveAt('checkout_v3_tr');
    await payAndFinish(visitor);
    const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual(paid);
  },
);

const declined = 'Payment declined. Nothing was charged.';

journey(
  'upsell: another card pays after two were declined, and each time the page says so',
  async ({ visitor, server }) => {
    await buyPlan(visitor);
    await visitor.waitLive('upsell-offer');
    const decline = { method: 'POST', body: new URLSearchParams({ action: 'decline' }) };
    await fetch(`${server.url}/fakes/bank/`, { ...decline, redirect: 'manual' });
    await visitor.tap(/^Add for/);
    const told = visitor.page.locator('main [role=alert]').filter({ hasText: declined });
    await told.waitFor();
    await visitor.tap('Pay with another card');
    await visitor.page.locator('[data-preloader]').waitFor({ state: 'detached' });
    await visitor.checkAccessibility('upsell-declined');
    await visitor.shoot('upsell-declined');
    await fillCard(visitor, cards.declined);
    await clickBelowFrames(visitor.button);
    await told.waitFor();
    await fillCard(visitor, cards.approved);
    await clickBelowFrames(visitor.button);
    await visitor.arriveAt('success');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(2);
  },
);
