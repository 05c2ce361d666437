import { expect, test, vi } from 'vitest';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import { dispute, refund } from '../attempts/provider-side.ts';
import { buyer, dayMs, gateways, stubGateways } from '../payments-fixture.ts';
import { buyPlan, makeChange, ownedIn, runAlarmsUntil } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);

/** Which payment comes back, how, when (days), and whether the running period stays paid. */
const returns = [
  ['the credited payment', 0, 'dispute', 12, false],
  ['the credited payment', 0, 'refund', 12, false],
  ['the credited payment', 0, 'partial refund', 12, true],
  ['the payment of the upgrade', 1, 'dispute', 12, false],
  ['the payment of the upgrade', 1, 'refund', 12, false],
  ['the payment of the upgrade', 1, 'partial refund', 12, true],
  // A renewal of the new plan has been paid since.
  ['the credited payment', 0, 'dispute', 105, true],
  ['the credited payment', 0, 'refund', 105, true],
  ['the payment of the upgrade', 1, 'refund', 105, true],
  ['the renewal', 2, 'refund', 105, false],
] as const;

const cases = gateways.flatMap((gateway) => returns.map((one) => [gateway, ...one] as const));

test.each(cases)(
  'upgrades: %s: %s (payment %d) comes back by a %s after %d days: paid is %s',
  async (gateway, _what, index, how, days, isPaid) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const fakes = stubGateways();
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      await runAlarmsUntil(driven, start + 10 * dayMs);
      const made = await makeChange(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
      expect(made.state).toBe('done');
      await runAlarmsUntil(driven, start + days * dayMs);
      fakes.stripe.passTime();
      await fakes.braintree.passTime();
      await driven.run((object) => object.sync());
      const captures = ownedIn(driven).rows.filter(({ kind }) => kind === 'capture');
      const payment = captures.toSorted((a, b) => a.at - b.at)[index]?.paymentId;
      if (!payment) throw new Error('no payment');
      if (how === 'dispute') await dispute(fakes, gateway, payment);
      else if (how === 'refund') await refund(fakes, gateway, payment);
      else await driven.run((object) => object.refund(payment, minor(100), 'goodwill'));
      await driven.run((object) => object.sync());
      expect(ownedIn(driven)).toMatchObject({ isUsable: isPaid });
      await driven.runDueAlarms();
      expect(ownedIn(driven)).toMatchObject({ isUsable: isPaid });
    });
  },
);
