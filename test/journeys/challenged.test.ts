import { expect } from 'vitest';
import { cards, challenge, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];

journey('stripe challenge: the visitor confirms', async ({ visitor, server }) => {
  await startAtCheckout(visitor);
  await payWith(visitor, cards.challenged);
  await challenge(visitor, 'Complete');
  await visitor.arriveAt('upsell_an_private');
  expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
});
