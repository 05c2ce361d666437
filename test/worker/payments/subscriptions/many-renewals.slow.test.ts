import { expect, test, vi } from 'vitest';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import { buyer, dayMs, gateways, stubGateways } from '../payments-fixture.ts';
import { buyPlan, makeChange, ownedIn, runAlarmsUntil } from './change-helpers.ts';

/** With a change in between, so that the renewals belong to two subscriptions at Braintree. */
test.each(gateways)(
  'ledger: %s: keeps every payment of four years, whatever the gateway still lists',
  async (gateway) => {
    const start = Date.UTC(2027, 0, 15, 12);
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    stubGateways();
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      await runAlarmsUntil(driven, start + 24 * 31 * dayMs);
      expect((await makeChange(driven, id, { kind: 'pause', months: 1 })).state).toBe('done');
      await runAlarmsUntil(driven, start + 48 * 30 * dayMs);
      expect(ownedIn(driven).amounts.length).toBeGreaterThan(44);
      expect(new Set(ownedIn(driven).amounts)).toEqual(new Set([3999]));
      const { lines } = await driven.run((object) => object.compare());
      expect(lines.filter(({ ledger, provider }) => ledger !== provider)).toEqual([]);
    });
    const events = logged.mock.calls.map(([line]) => JSON.parse(String(line)).event);
    expect(events).not.toContain('ledger_corrected');
  },
);
