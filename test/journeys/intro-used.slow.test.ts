import { expect } from 'vitest';
import { offerOf } from './open-checkout.ts';
import { cards, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { buyPlan, startAtSignup } from './walk-flow.ts';

journey(
  'checkout: a person with a used intro is offered the full price',
  async ({ visitor, another, server }) => {
    const offer = offerOf('monthly_7d', 'quarterly');
    await server.configure({
      experiment: 'intro-used',
      variants: [{ key: 'intro/7d', weight: 100, flow: 'default' }],
      offers: { 'intro/7d': offer },
      coupons: {},
    });
    await buyPlan(visitor);

    const second = await another();
    // The same mailbox, in another spelling.
    const email = visitor.email.replace('@', '+two@');
    await startAtSignup(second);
    await second.giveEmail(email);
    await second.arriveAt('checkout_v3_tr');
    await payWith(second, cards.approved);
    await second.sees('This offer is for new customers');
    expect(server.gatewayCaptures(email)).toEqual([]);
    await second.button.filter({ hasText: '$39.99' }).waitFor();
    await second.shoot('intro-used');
    await second.button.click();
    await second.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(email)).toEqual([
      { plan: 'monthly_usd', amount: 3999, currency: 'usd' },
    ]);
  },
);
