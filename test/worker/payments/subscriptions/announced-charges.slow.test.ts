import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { addMonths } from '../../../../worker/catalog/rules/renewal-date.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import { buyer, dayMs, gateways, remainingAmounts, stubGateways } from '../payments-fixture.ts';
import { buyPlan, makeChange, ownedIn, runAlarmsUntil } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
const families = ['monthly', 'monthly_7d', 'monthly_5d', 'monthly_3d', 'quarterly'] as const;
const cases = gateways.flatMap((gateway) => families.map((family) => [gateway, family] as const));

test.each(cases)(
  'announced charges: %s: %s, resumed early, is charged next on the quoted day',
  async (gateway, family) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const fakes = stubGateways();
    const plan = builtInCatalog.planOf(family, 'USD');
    const { stub, purchase } = buyer({
      gateway,
      nonce: approved[gateway],
      plan: plan.id,
      terms: shownTerms(),
    });
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      // A paid intro cannot be changed: the first whole period is paid first.
      await runAlarmsUntil(driven, start + 10 * dayMs);
      expect((await makeChange(driven, id, { kind: 'pause', months: 2 })).state).toBe('done');
      await runAlarmsUntil(driven, (ownedIn(driven).paidUntil ?? 0) + 10 * dayMs);
      const paid = ownedIn(driven).amounts;
      const made = await makeChange(driven, id, { kind: 'resume' });
      expect(made).toMatchObject({ state: 'done', amount: plan.price });
      const months = plan.period === 'quarter' ? 3 : 1;
      expect(made.next).toEqual({ amount: plan.price, at: addMonths(made.quotedAt, months) });
      const charged = async () => {
        fakes.stripe.passTime();
        await fakes.braintree.passTime();
        return remainingAmounts(fakes.captured());
      };
      await runAlarmsUntil(driven, made.next.at - dayMs);
      expect(await charged()).toEqual([...paid, plan.price]);
      await runAlarmsUntil(driven, made.next.at + dayMs);
      expect(await charged()).toEqual([...paid, plan.price, plan.price]);
    });
  },
);
