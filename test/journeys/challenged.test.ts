import { expect } from 'vitest';
import { cards, challenge, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

const paid = [{ plan: 'monthly_usd', amount: 3999, currency: 'usd' }];

journey('the bank asks, and the visitor confirms', async ({ visitor, house }) => {
  await startAtCheckout(visitor);
  await payWith(visitor, cards.challenged);
  await challenge(visitor, 'Complete');
  await visitor.arriveAt('upsell_an_private');
  expect(house.taken(visitor.email)).toEqual(paid);
});

journey('the bank asks, it fails, and another card works', async ({ visitor, house }) => {
  await startAtCheckout(visitor);
  await payWith(visitor, cards.challenged);
  await challenge(visitor, 'Fail');
  expect(await visitor.toast()).toMatch(/\w/);
  await visitor.shoot('challenge-failed');
  expect(house.taken(visitor.email)).toEqual([]);
  await payAndFinish(visitor);
  expect(house.taken(visitor.email)).toEqual(paid);
});
