import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { addMonths } from '../../../../worker/catalog/rules/renewal-date.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  combined,
  dayMs,
  gateways,
  hourMs,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { acceptAllCards, declineAllCards } from './card-fixture.ts';
import { buyPlan, makeChange, ownedIn, runAlarmsUntil } from './change-helpers.ts';

/** Days on which a renewal is due, before short and long months. */
const dueDays = [
  '2027-02-01',
  '2027-01-31',
  '2027-03-01',
  '2027-04-30',
  '2027-12-29',
  '2028-02-01',
];
// Pairs are enough: every kind meets a month of 28 or 29 days at both gateways, which leaves the least time to give up.
const kinds = ['monthly', 'monthly_3d', 'quarterly', 'monthly after a pause'] as const;

test.each(combined(2, [gateways, kinds, dueDays]))(
  'failed renewals: %s: %s, due on %s, is given up before the next billing date',
  async (gateway, kind, due) => {
    const dueAt = Date.parse(`${due}T12:00:00Z`);
    const pauses = kind.includes('pause');
    const plan = builtInCatalog.planOf(pauses ? 'monthly' : (kind as 'monthly'), 'USD');
    const months = plan.period === 'quarter' ? 3 : 1;
    const boughtAt =
      plan.introDays > 0 ? dueAt - plan.introDays * dayMs : addMonths(dueAt, pauses ? -2 : -months);
    vi.useFakeTimers({ toFake: ['Date'], now: boughtAt });
    const fakes = stubGateways();
    const pass = async () => {
      fakes.stripe.passTime();
      await fakes.braintree.passTime();
    };
    const nonce = approved[gateway];
    const { stub, purchase } = buyer({ gateway, nonce, plan: plan.id, terms: shownTerms() });
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      if (pauses) await makeChange(driven, id, { kind: 'pause', months: 1 });
      const { paidUntil, pausesUntil } = ownedIn(driven);
      declineAllCards(fakes);
      const nextBilling = addMonths(pausesUntil ?? paidUntil ?? 0, months);
      for (let at = Date.now(); at < nextBilling - dayMs; at += 12 * hourMs) {
        await runAlarmsUntil(driven, at);
        await pass();
      }
      acceptAllCards(fakes);
      await runAlarmsUntil(driven, nextBilling + 4 * dayMs);
      await pass();
      expect(remainingAmounts(fakes.captured())).toEqual([plan.today]);
      expect(ownedIn(driven)).toMatchObject({ status: 'ended', isUsable: false });
    });
  },
);
