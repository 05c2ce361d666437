import { expect } from 'vitest';
import { bankFrame, cards, challenge, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];

journey('stripe challenge: the visitor confirms', async ({ visitor, server }) => {
  await startAtCheckout(visitor);
  await payWith(visitor, cards.challenged);
  await challenge(visitor, 'Complete');
  await visitor.arriveAt('upsell_an_private');
  expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
});

journey.runIf(full)(
  'stripe challenge: after a reload, the card that is entered then pays',
  async ({ visitor, server }) => {
    await startAtCheckout(visitor);
    await payWith(visitor, cards.challenged);
    await bankFrame(visitor.page).getByRole('button', { name: 'Complete' }).waitFor();
    await visitor.page.reload();
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
  },
);
