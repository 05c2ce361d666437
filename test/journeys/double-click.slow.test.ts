import { expect } from 'vitest';
import { requestBodies } from './delay-requests.ts';
import { cards, typeCard } from './pay.ts';
import { journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

journey('checkout: pressing Pay twice charges once', async ({ visitor, server }) => {
  await startAtCheckout(visitor);
  const orders = requestBodies(visitor, 'POST', /\/subscriptions\/polling\//);
  await typeCard(visitor, cards.approved);
  await visitor.button.dblclick();
  await visitor.arriveAt('upsell_an_private');
  expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  expect(orders).toHaveLength(1);
});
