import { expect, test, vi } from 'vitest';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { codeAt } from '../../../../worker/catalog/rules/coupon-codes.ts';
import { type Coupon, discountOf } from '../../../../worker/catalog/rules/coupons.ts';
import { addPeriods } from '../../../../worker/catalog/rules/renewal-date.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  dayMs,
  gateways,
  hourMs,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { buyPlan, ownedIn } from './change-helpers.ts';

const product = (period: 'month' | 'once', days = 0) => ({
  ...{ slot: 'main' as const, label: period, period, grace_days: 6 },
  versions: {
    1: {
      prices: { USD: minor(3999) },
      ...(days > 0 && { intro: { days, prices: { USD: minor(699) } } }),
    },
  },
});
const catalog = new Catalog({
  currencies: ['USD'],
  products: { plain: product('month'), intro: product('month', 7), once: product('once') },
});

const codes = { count: 9, seed: '0123456789abcdef0123456789abcdef' };
const coupons = new Map<string, Coupon>([
  ['PERCENT', { percent: 25 }],
  ['AMOUNT', { amount: minor(500) }],
  ['ALL', { percent: 100 }],
  ['CODES', { percent: 50, codes }],
]);
const typed = ['PERCENT', 'AMOUNT', 'ALL', codeAt('CODES', codes, 7)];

/** Of each coupon for 39.99 and 6.99: what is paid first. At least the smallest charge remains. */
const first: Record<string, number[]> = {
  plain: [2999, 3499, 50, 1999],
  intro: [524, 199, 50, 349],
  once: [2999, 3499, 50, 1999],
};

const cases = gateways.flatMap((gateway) =>
  Object.entries(first).flatMap(([family, amounts]) =>
    typed.map((code, at) => [gateway, family, code, amounts[at] ?? 0] as const),
  ),
);

/** The fixture fails if a charge was not announced: told is charged, over three months. */
test.each(cases)(
  'coupons: %s: %s with %s is paid %i first, and its renewals in full',
  async (gateway, family, code, today) => {
    const start = Date.parse('2027-01-31T12:00Z');
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const plan = catalog.planOf(family, 'USD');
    const coupon = discountOf(coupons, code, plan, start);
    if (coupon.kind !== 'discount') throw new Error(coupon.refusal);
    // Redemptions are counted in D1, which a driven object does not have.
    delete coupon.limit;
    const fakes = stubGateways({ cycleOf: () => 1 });
    const { stub, purchase } = buyer({
      ...{ gateway, nonce: approved[gateway], plan: plan.id, soldPlan: plan, coupon },
      terms: shownTerms(),
    });
    const begins = start + plan.introDays * dayMs;
    const renewals =
      plan.period === 'once'
        ? []
        : Array.from({ length: 3 }, (_, at) =>
            addPeriods(begins, 'month', at + (plan.introDays ? 0 : 1)),
          );
    await driveObject(stub, async (driven: DrivenObject) => {
      await buyPlan(driven, purchase);
      const end = (renewals.at(-1) ?? start) + 3 * dayMs;
      while (Date.now() < end) {
        await driven.passTime(12 * hourMs);
        fakes.stripe.passTime();
        await fakes.braintree.passTime();
      }
      await driven.run((object) => object.sync());
      const charged = remainingAmounts(fakes.captured());
      expect(charged).toEqual([today, ...renewals.map(() => 3999)]);
      expect(ownedIn(driven).amounts).toEqual(charged);
    });
  },
);
