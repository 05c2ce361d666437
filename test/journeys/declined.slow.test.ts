import { expect } from 'vitest';
import { cards, clickBelowFrames, fillCard } from './pay.ts';
import { journey } from './run-journey.ts';
import { buyPlan } from './walk-flow.ts';

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
