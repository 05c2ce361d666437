import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { takeUnannounced } from '../announced-audit.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import { buyer, dayMs, gateways, stubGateways } from '../payments-fixture.ts';
import { buyPlan, ownedIn } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
type Fakes = ReturnType<typeof stubGateways>;

/** The gateway renews earlier than it said, for whatever reason. */
function renewEarly({ stripe, braintree }: Fakes, at: number): void {
  for (const one of Object.values(braintree.state.subscriptions)) one.nextBillingAt = at;
  for (const { items } of Object.values(stripe.state.subscriptions))
    for (const item of items.data) item.current_period_end = Math.floor(at / 1000);
}

/** The gateway's price is another than the plan's. */
function raisePrice({ stripe, braintree }: Fakes): void {
  for (const one of Object.values(braintree.state.subscriptions)) one.price = 4999;
  for (const price of Object.values(stripe.state.prices)) price.unit_amount = 4999;
}

const cases = gateways.flatMap((gateway): [GatewayName, string, number, string[]][] => [
  [gateway, 'on the announced day', 32, []],
  [gateway, 'ten days early', 22, ['2027-02-05 3999']],
  [gateway, 'of another amount', 32, ['2027-02-15 4999']],
]);

test.each(cases)(
  'announced charges: %s: a renewal %s',
  async (gateway, kind, days, unannounced) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const fakes = stubGateways();
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
    await driveObject(stub, async (driven) => {
      await buyPlan(driven, purchase);
      if (kind.includes('early')) renewEarly(fakes, start + 21 * dayMs);
      if (kind.includes('another')) raisePrice(fakes);
      vi.setSystemTime(start + days * dayMs);
      fakes.stripe.passTime();
      await fakes.braintree.passTime();
      await driven.run((object) => object.sync());
      expect(ownedIn(driven).amounts).toHaveLength(2);
    });
    const events = logged.mock.calls.flatMap(([line]) => {
      const { event, vendor, amount } = JSON.parse(String(line));
      return event === 'unannounced_charge' ? [`${vendor} ${amount}`] : [];
    });
    expect(events).toEqual(unannounced.map((one) => `${gateway} ${one.split(' ')[1]}`));
    expect(takeUnannounced()).toEqual(unannounced);
  },
);
