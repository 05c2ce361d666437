import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { changeTargets } from '../../../../../worker/catalog/rules/plan-options.ts';
import { followRaise, newRaise } from '../../../../../worker/payments/purchase/price-raise.ts';
import type { Raise } from '../../../../../worker/payments/purchase/renewal-state.ts';
import type { Subscription } from '../../../../../worker/payments/purchase/state.ts';
import { changeOptions } from '../../../../../worker/payments/subscriptions/rules/change-options.ts';
import { startSubscription } from '../../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor, paymentIdOf } from '../../../../../worker/platform/types.ts';
import { attempt, charge, planNamed } from '../../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2027, 0, 10, 12);
const on = (days: number) => epochMs(now + days * day);
const monthly = planNamed('monthly_usd');
const quarterly = planNamed('quarterly_usd');
const dearer = { ...monthly, id: 'monthly@2_usd', family: 'monthly@2', price: minor(4999) };
const { subscription } = startSubscription(attempt({ state: 'active', charge }), now);
const terms = { plans: [dearer], from: on(40), needsYes: false };
const targets = changeTargets(builtInCatalog, 'USD');

const paid = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ kind: 'capture', paymentId: paymentIdOf(`pi_${at}`), at: on(30 * (at - count)) },
  }));
const intro = { introDays: 7, today: minor(100) };
const free = { introDays: 7, today: minor(0) };

/** What the plan adds, its trial and payments so far. */
const periods = {
  'a plan': [{}, null, 1],
  'a free trial': [free, on(5), 0],
  'a plan after its free trial': [free, on(-30), 1],
  'a paid intro': [intro, null, 1],
  'a plan after its paid intro': [intro, null, 2],
} as const;
const coupons = {
  'no coupon': {},
  // What it lowered is paid, or is the trial's or intro's.
  'a coupon for the first payment': {},
  'a coupon for renewals': { reduction: { off: minor(1000), renewals: 2, day: 10 } },
};
const happenings: Record<string, Partial<Subscription>> = {
  nothing: {},
  'a plan change': { nextPlan: quarterly },
  'a pause': { pausesUntil: on(60) },
};

type Period = keyof typeof periods;
type CouponKind = keyof typeof coupons;

/** The raise, whether another plan may be chosen, and whether it may be paused. */
function expected(period: Period, coupon: CouponKind, happening: string) {
  if (happening === 'a plan change') return ['changing', false, false];
  if (happening === 'a pause') return ['paused', false, false];
  if (period === 'a free trial' || period === 'a paid intro') return ['intro', false, false];
  return coupon === 'a coupon for renewals' ? ['reduced', false, true] : [4999, true, true];
}

function facts(period: Period, coupon: CouponKind, happening: string) {
  const [more, trialUntil, payments] = periods[period];
  const plan = { ...monthly, ...more, ...coupons[coupon] };
  const state = { ...subscription, plan, trialUntil, paidUntil: on(20), ...happenings[happening] };
  return { subscription: state as Subscription, rows: paid(payments), targets };
}

const keys = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as K[];
const cells = keys(periods).flatMap((period) =>
  keys(coupons).flatMap((coupon) =>
    keys(happenings).map((happening) => [period, coupon, happening] as const),
  ),
);
const raiseOf = (all: ReturnType<typeof facts>, coupon: CouponKind) =>
  newRaise(all.subscription, all.rows, coupon === 'no coupon' ? null : 'SPRING', terms, now);
const options = (all: ReturnType<typeof facts>) => {
  const { upgrade, switch: others, maxPauseMonths } = changeOptions(all, now);
  return [upgrade.length + others.length > 0, maxPauseMonths > 0];
};

test.each(cells)('raise combinations: %s with %s and %s', (...cell) => {
  const all = facts(...cell);
  const made = raiseOf(all, cell[1]);
  const raise = made && typeof made === 'object' ? made.raise.amount : made;
  expect([raise, ...options(all)]).toEqual(expected(...cell));
});

test.each(cells.filter((cell) => expected(...cell)[0] === 4999))(
  'raise combinations: %s with %s and a raise under way: what the owner does stops it, and once scheduled nothing is offered',
  (period, coupon, happening) => {
    const all = facts(period, coupon, happening);
    const made = raiseOf(all, coupon);
    if (!made || typeof made !== 'object') throw new Error(String(made));
    for (const state of ['announced', 'agreed', 'scheduled'] as const) {
      const raise: Raise = { ...made.raise, state };
      const nextPlan = state === 'scheduled' ? dearer : null;
      const raised = { ...all.subscription, raise, nextPlan };
      const isFree = state !== 'scheduled';
      expect(options({ ...all, subscription: raised })).toEqual([isFree, isFree]);
      const after = (name: string) => followRaise({ ...raised, ...happenings[name] });
      expect(after('nothing')).toEqual(raise);
      expect(after('a plan change')).toMatchObject({ state: 'stopped', why: 'changed' });
      expect(after('a pause')).toMatchObject({ state: 'stopped', why: 'paused' });
    }
  },
);
