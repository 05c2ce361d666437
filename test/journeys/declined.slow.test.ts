import { expect } from 'vitest';
import { onlyFlow } from './all-flows.ts';
import { cards, clickBelowFrames, fillCard } from './pay.ts';
import { journey } from './run-journey.ts';
import { buyPlan } from './walk-flow.ts';

const extras = 'one_pager searching signup checkout_v3_tr upsell_an_private upsell_guide success';

const declined = 'was declined. Nothing was charged. Your plan is not affected.';

journey(
  'upsell: another card pays after two were declined, each time the page says so, and the next extra names the card',
  async ({ visitor, server }) => {
    await server.configure(onlyFlow('extras'), { flows: { extras: extras.split(' ') } });
    await buyPlan(visitor);
    await visitor.waitLive('upsell-offer');
    await visitor.sees(/^We’ll charge .?Visa •••• 4242.?$/);
    const decline = { method: 'POST', body: new URLSearchParams({ action: 'decline' }) };
    await fetch(`${server.url}/fakes/bank/`, { ...decline, redirect: 'manual' });
    await visitor.tap(/^Add for/);
    const told = visitor.page.locator('main [role=alert]').filter({ hasText: declined });
    await told.waitFor();
    expect(await told.textContent()).toContain('Visa •••• 4242');
    await visitor.tap('Pay with another card');
    await visitor.page.locator('[data-preloader]').waitFor({ state: 'detached' });
    await visitor.checkAccessibility('upsell-declined');
    await visitor.shoot('upsell-declined');
    expect(await told.count()).toBe(0);
    await fillCard(visitor, cards.declined);
    await clickBelowFrames(visitor.button);
    await told.waitFor();
    expect(await told.textContent()).toContain('Visa •••• 0002');
    await fillCard(visitor, '5555 5555 5555 4444');
    await clickBelowFrames(visitor.button);
    await visitor.arriveAt('upsell_guide');
    await visitor.sees(/^We’ll charge .?Mastercard •••• 4444.?$/);
    await visitor.tap('No thanks');
    await visitor.arriveAt('success');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(2);
  },
);
