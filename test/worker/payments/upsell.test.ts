import { afterEach, expect, test, vi } from 'vitest';
import type { OwnedSubscription } from '../../../worker/payments/subscription-changes.ts';
import { refusalOf } from '../request.ts';
import { account, card, order, polled, pollingId, stubOf } from './buying.ts';
import { balances, openBank, takenAtStripe } from './payments-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

test.each([undefined, 'upsell30', 'UPSELL30'])(
  'upsell: the one of 9.99 is sold with its own coupon, whatever the code: %s',
  async (coupon) => {
    const bank = openBank();
    const headers = await account();
    await polled(await pollingId('monthly_eur', card(), headers));
    const upsell = { gateway: 'stripe', coupon };
    const answer = await polled(await pollingId('upsell_monthly_999_eur', upsell, headers));
    expect(await answer.json()).toMatchObject({
      data: { result_data: { status: 'active', price_with_discount: '6.99' } },
    });
    expect(bank.captures().map(({ amount }) => amount)).toEqual([3999, 699]);
    const held = (await stubOf(headers).ownedSubscriptions()) as OwnedSubscription[];
    const sold = held.find(({ subscription }) => subscription.slot === 'upsell');
    expect(sold?.terms?.text).toContain('€9.99 less 30%, on every payment.');
    expect(sold?.terms?.text).toContain('€6.99 today, then €6.99 every month.');
    await balances(stubOf(headers), takenAtStripe(bank));
  },
);

test('upsell: the one of 9.99 takes no other coupon', async () => {
  openBank();
  const headers = await account();
  await polled(await pollingId('monthly_usd', card(), headers));
  const response = await order('upsell_monthly_999_usd', { coupon: 'HALF' }, headers);
  expect((await refusalOf(response)).slice(0, 2)).toEqual([422, 'coupon_not_for_plan']);
});
