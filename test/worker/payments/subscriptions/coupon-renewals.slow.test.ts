import { expect, test, vi } from 'vitest';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { type Coupon, discountOf } from '../../../../worker/catalog/rules/coupons.ts';
import { type Plan, periods } from '../../../../worker/catalog/rules/plans.ts';
import { addPeriods } from '../../../../worker/catalog/rules/renewal-date.ts';
import { gatewayTraits } from '../../../../worker/payments/purchase/gateway-traits.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptId, PaymentId } from '../../../../worker/platform/types.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  dayMs,
  type Fetch,
  gateways,
  hourMs,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { acceptAllCards, cardRequest, declineAllCards, sendCard } from './card-fixture.ts';
import {
  buyPlan,
  casesAt,
  changeRequest,
  getQuote,
  makeChange,
  ownedIn,
} from './change-helpers.ts';

const renewing = periods.filter((period) => period !== 'once');
const months = { week: 0, month: 1, quarter: 3, half_year: 6, year: 12 };

const catalog = new Catalog({
  currencies: ['USD'],
  products: Object.fromEntries(
    renewing.flatMap((period) =>
      [0, 7].map((days) => [
        `${period}_${days}`,
        {
          ...{ slot: 'main' as const, label: period, period, grace_days: 6 },
          versions: {
            1: {
              prices: { USD: minor(3999) },
              ...(days > 0 && { intro: { days, prices: { USD: minor(699) } } }),
            },
          },
        },
      ]),
    ),
  ),
});

const coupons = new Map<string, Coupon>([
  ['ONE', { percent: 25, renewals: 1 }],
  ['TWO', { amount: minor(500), renewals: 2 }],
]);

function sold(gateway: GatewayName, plan: Plan, code: string) {
  const coupon = discountOf(coupons, code, plan, Date.now());
  if (coupon.kind !== 'discount') throw new Error(coupon.refusal);
  return buyer({
    ...{ gateway, nonce: approved[gateway], plan: plan.id, soldPlan: plan, coupon },
    terms: shownTerms(),
  });
}

async function walkTo(
  driven: DrivenObject,
  fakes: ReturnType<typeof stubGateways>,
  end: number,
): Promise<void> {
  while (Date.now() < end) {
    await driven.passTime(12 * hourMs);
    fakes.stripe.passTime();
    await fakes.braintree.passTime();
  }
}

const cases = gateways.flatMap((gateway) =>
  renewing
    .filter((period) => gatewayTraits[gateway].bills({ period }))
    .flatMap((period) =>
      [0, 7].flatMap((intro) =>
        // Two renewals of half a year or more take years.
        (months[period] < 6 ? ['ONE', 'TWO'] : ['ONE']).map(
          (code) => [gateway, period, intro, code] as const,
        ),
      ),
    ),
);

const paid: Record<string, { first: number[]; renewals: number[] }> = {
  ONE: { first: [2999, 524], renewals: [2999, 3999] },
  TWO: { first: [3499, 199], renewals: [3499, 3499, 3999] },
};

/** The fixture fails if a charge was not announced: told is charged. */
test.each(cases)(
  'coupons for renewals: %s: a %s with an intro of %i days and %s, then in full',
  async (gateway, period, intro, code) => {
    const start = Date.parse('2027-01-31T12:00Z');
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const plan = catalog.planOf(`${period}_${intro}`, 'USD');
    const fakes = stubGateways({ cycleOf: () => months[period] });
    const { stub, purchase } = sold(gateway, plan, code);
    const { first = [], renewals = [] } = paid[code] ?? {};
    const begins = start + intro * dayMs;
    const count = renewals.length - (intro ? 1 : 0);
    await driveObject(stub, async (driven: DrivenObject) => {
      await buyPlan(driven, purchase);
      await walkTo(driven, fakes, addPeriods(begins, period, count) + 3 * dayMs);
      await driven.run((object) => object.sync());
      const charged = remainingAmounts(fakes.captured());
      expect(charged).toEqual([first[intro ? 1 : 0], ...renewals]);
      expect(ownedIn(driven).amounts).toEqual(charged);
    });
  },
);

interface Given {
  driven: DrivenObject;
  id: AttemptId;
  fakes: ReturnType<typeof stubGateways>;
  purchase: ReturnType<typeof buyer>['purchase'];
  walk: (days: number) => Promise<void>;
  outage: { calls: number };
}

const upgrade = changeRequest({ kind: 'upgrade', plan: 'quarterly_usd' });

/** What happens to a monthly plan with two reduced renewals; then it is paid as ever. */
const events: Record<string, (given: Given) => Promise<unknown>> = {
  async 'another plan is refused until they are paid'({ driven, id, walk }) {
    const refused = { kind: 'refused', refusal: 'change_not_possible' };
    await walk(10);
    expect(await driven.run((object) => object.quoteChange(id, upgrade))).toEqual(refused);
    const yearly = { ...upgrade, kind: 'switch' as const };
    expect(await driven.run((object) => object.quoteChange(id, yearly))).toEqual(refused);
    await walk(60);
    expect(await getQuote(driven, id, upgrade)).toMatchObject({ plan: 'quarterly_usd' });
  },
  async 'a pause'({ driven, id, walk }) {
    await walk(10);
    const pause = await makeChange(driven, id, { kind: 'pause', months: 2 });
    expect(pause).toMatchObject({ state: 'done', next: { amount: 3499 } });
  },
  async 'a pause in the last reduced period'({ driven, id, walk }) {
    await walk(62);
    const pause = await makeChange(driven, id, { kind: 'pause', months: 1 });
    expect(pause).toMatchObject({ state: 'done', next: { amount: 3999 } });
  },
  async 'an early end of a pause, paid at once'({ driven, id, walk }) {
    await walk(32);
    await makeChange(driven, id, { kind: 'pause', months: 3 });
    await walk(60);
    const resumed = await makeChange(driven, id, { kind: 'resume' });
    expect(resumed).toMatchObject({ state: 'done', amount: 3499, next: { amount: 3999 } });
  },
  async 'a cancellation that is undone'({ driven, id, walk }) {
    await walk(32);
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    await driven.run((object) => object.resumeSubscription(id));
    await driven.runDueAlarms();
  },
  async 'a new card'({ driven, purchase, walk }) {
    await walk(10);
    await sendCard(driven, cardRequest(purchase));
  },
  async 'a renewal that is paid by a retry'({ fakes, walk }) {
    await walk(10);
    declineAllCards(fakes);
    await walk(22);
    acceptAllCards(fakes);
  },
  async 'the last reduced renewal is paid by a retry'({ fakes, walk }) {
    await walk(40);
    declineAllCards(fakes);
    await walk(22);
    acceptAllCards(fakes);
  },
  async 'an extra is bought'({ driven, purchase, walk }) {
    await walk(10);
    const extra = { plan: 'upsell_monthly_799_usd', nonce: null, coupon: null };
    await buyPlan(driven, { ...omitSold(purchase), ...extra });
  },
  async 'a gateway that does not end it when they are paid'({ outage, walk }) {
    await walk(58);
    outage.calls = 3;
  },
};

const omitSold = ({ soldPlan: _, ...purchase }: Given['purchase']) => purchase;

async function owning(gateway: GatewayName, act: (given: Given) => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-15T12:00Z') });
  const outage = { calls: 0 };
  const wrap =
    (next: Fetch): Fetch =>
    (input, init) =>
      init?.method === 'POST' && String(init.body).includes('discounts=') && outage.calls-- > 0
        ? Promise.resolve(Response.json({}))
        : next(input, init);
  const fakes = stubGateways({ cycleOf: () => 1, wrap });
  const { stub, purchase } = sold(gateway, catalog.planOf('month_0', 'USD'), 'TWO');
  await driveObject(stub, async (driven) => {
    const id = await buyPlan(driven, purchase);
    const walk = (days: number) => walkTo(driven, fakes, Date.now() + days * dayMs);
    await act({ driven, id, fakes, purchase, walk, outage });
    await driven.run((object) => object.sync());
  });
}

test.each(casesAt(gateways, events))('coupons for renewals: %s: %s', (gateway, _name, act) =>
  owning(gateway, async (given) => {
    await act(given);
    const { driven, walk } = given;
    for (let days = 0; days < 300 && ownedIn(driven).amounts.length < 5; days += 10) await walk(10);
    expect(ownedIn(driven).amounts).toEqual([3499, 3499, 3499, 3999, 3999]);
  }),
);

test.each(gateways)('coupons for renewals: %s: a part of a renewal is refunded', (gateway) =>
  owning(gateway, async ({ driven, walk }) => {
    await walk(32);
    const payment = ownedIn(driven).rows[1]?.paymentId as PaymentId;
    await driven.run((object) => object.refund(payment, minor(99), 'goodwill'));
    await walk(62);
    expect(ownedIn(driven).amounts).toEqual([3499, 3499, -99, 3499, 3999]);
  }),
);

test.each(gateways)('coupons for renewals: %s: each person uses it once', (gateway) =>
  owning(gateway, async ({ driven, id, purchase, walk }) => {
    await driven.run((object) => object.cancelSubscription(id));
    await walk(33);
    const refused = { kind: 'refused', refusal: 'coupon_used' };
    expect(await driven.run((object) => object.buy(purchase))).toEqual(refused);
    await buyPlan(driven, { ...purchase, coupon: null });
    await walk(32);
    const all = driven.object().ownedSubscriptions();
    const amounts = all.map(({ rows }) => rows.map(({ amount }) => amount));
    expect(amounts.sort()).toEqual([[3499], [3999, 3999]]);
  }),
);
