import fc from 'fast-check';
import { expect, test } from 'vitest';
import catalogReadme from '../../../../worker/catalog/README.md?raw';
import { multipleOf } from '../../../../worker/catalog/rules/currencies.ts';
import { earlyEndNotice, earlyEnds } from '../../../../worker/catalog/rules/early-ends.ts';
import type { Plan } from '../../../../worker/catalog/rules/plans.ts';
import { addMonths, addPeriods } from '../../../../worker/catalog/rules/renewal-date.ts';
import { earlyEndOf, earlyRefundOf } from '../../../../worker/payments/purchase/early-end.ts';
import type { MovementRow } from '../../../../worker/payments/purchase/money-movements.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { attempt, charge, planNamed } from '../attempts/attempt-fixture.ts';

const day = 86_400_000;
const start = Date.UTC(2027, 0, 31, 12);
const yearly: Plan = {
  ...planNamed('monthly_usd'),
  ...{ id: 'yearly_usd', period: 'year', price: minor(36_500) },
};

type Row = MovementRow;
const row = (
  kind: Row['kind'],
  payment: string,
  amount: number,
  at: number,
  key?: string,
): Row => ({
  ...{
    kind,
    id: `${kind}:${payment}:${at}`,
    paymentId: paymentIdOf(payment),
    amount: minor(amount),
  },
  at: epochMs(at),
  refundKey: key,
});

/** A plan bought at `start` and renewed `renewals` times. */
function renewed(plan: Plan = yearly, renewals = 1, change: Partial<Subscription> = {}) {
  const bought = attempt({ plan, state: 'active', charge, openedAt: start } as never);
  const { subscription } = startSubscription({ ...bought, plan }, start);
  if (plan.period === 'once') throw new Error('never renews');
  const { period } = plan;
  const from = addPeriods(start, period, renewals);
  const rows = Array.from({ length: renewals + 1 }, (_, at) =>
    row('capture', `pi_${at}`, plan.price, addPeriods(start, period, at)),
  );
  const paidUntil = addPeriods(from, period, 1);
  const owned: Subscription = { ...subscription, plan, paidUntil, ...change };
  return { owned, rows, from, paidUntil, newest: `pi_${renewals}` };
}

const half = addPeriods(start, 'year', 1) + 100 * day;

test('early end: a renewed year ends a month later, and the days after that are refunded', () => {
  const { owned, rows, paidUntil } = renewed();
  // 31 January 2028 to 31 January 2029, with a leap day; the end is the last whole day before 10 June.
  const end = earlyEndOf(owned, rows, 1, half);
  const left = 235;
  expect(end).toEqual({
    at: paidUntil - left * day,
    back: Math.round((36_500 * left) / 366),
    paymentId: 'pi_1',
  });
  expect(end?.at).toBeLessThanOrEqual(addMonths(half, 1));
});

test('early end: also while a coupon lowers the next renewals', () => {
  const { owned, rows } = renewed();
  const reduction = { off: minor(500), renewals: 2, day: 31 };
  const reduced = { ...owned, plan: { ...yearly, reduction } };
  expect(earlyEndOf(reduced, rows, 1, half)).toEqual(earlyEndOf(owned, rows, 1, half));
});

test('early end: without notice it ends today', () => {
  const { owned, rows, paidUntil } = renewed();
  const { at = 0 } = earlyEndOf(owned, rows, 0, half + 1) ?? {};
  expect([at <= half + 1, at > half - day, (paidUntil - at) % day]).toEqual([true, true, 0]);
});

const none: [string, ReturnType<typeof renewed>, Row[], number | null][] = [
  ['a country without the rule', renewed(), [], null],
  ['a first period', { ...renewed(yearly, 0) }, [], 0],
  ['a monthly plan', renewed({ ...yearly, period: 'month' }), [], 0],
  ['a weekly plan', renewed({ ...yearly, period: 'week' }), [], 0],
  ['the first whole period after an intro', renewed({ ...yearly, introDays: 7 }), [], 0],
  ['one that ends early already', renewed(yearly, 1, endedEarly()), [], 0],
  [
    'a cancelled one that is overdue',
    renewed(yearly, 1, { ends: true, status: 'past_due' }),
    [],
    0,
  ],
  ['one that ended', renewed(yearly, 1, { status: 'ended' }), [], 0],
  ['one that is overdue', renewed(yearly, 1, { status: 'past_due' }), [], 0],
  ['one that was withdrawn', renewed(yearly, 1, { withdrawnAt: 1 }), [], 0],
  ['an open dispute', renewed(yearly, 1, { isDisputed: true }), [], 0],
  ['a lost dispute', renewed(), [row('dispute', 'pi_0', 1, half)], 0],
  ['a debit that is awaited', renewed(yearly, 1, { waitsForMoney: true }), [], 0],
  ['a gift', renewed(yearly, 1, { giftUntil: renewed().paidUntil }), [], 0],
  ['a payment that was refunded', renewed(), [row('refund', 'pi_1', 36_500, half)], 0],
  ['an upgrade that began the period', renewed(yearly, 1, ordered(renewed().from)), [], 0],
  ['a switch that began the period', renewed(yearly, 1, { switchedAt: renewed().from }), [], 0],
  [
    'a period of another payment',
    renewed(yearly, 1, { paidUntil: addPeriods(renewed().paidUntil, 'year', 1) }),
    [],
    0,
  ],
];

function endedEarly(): Partial<Subscription> {
  const earlyEnd = { at: epochMs(half), back: minor(1), paymentId: paymentIdOf('pi_1') };
  return { earlyEnd, cancelRequestedAt: 1 };
}

function ordered(at: number): Partial<Subscription> {
  return { paidSince: { plan: yearly, at: epochMs(at) } };
}

test.each(none)('early end: none for %s', (_, { owned, rows }, more, months) =>
  expect(earlyEndOf(owned, [...rows, ...more], months, half)).toBeNull(),
);

test.each([
  ['a cancellation', { cancelRequestedAt: 1 }],
  ['a cancellation that the gateway knows', { ends: true }],
  ['a scheduled switch', { nextPlan: planNamed('monthly_usd') }],
  ['a planned pause', { pausesUntil: addMonths(renewed().paidUntil, 1) }],
  ['an upgrade that was renewed since', ordered(start)],
  ['a switch that was renewed since', { switchedAt: epochMs(start) }],
])('early end: possible with %s', (_, change) => {
  const { owned, rows } = renewed(yearly, 1, change);
  expect(earlyEndOf(owned, rows, 1, half)).not.toBeNull();
});

test('early end: a period that a late payment began counts from that payment', () => {
  const at = renewed().from + 20 * day;
  const paidUntil = addPeriods(at, 'year', 1);
  const late = { paidSince: { plan: yearly, at: epochMs(at), isLate: true }, paidUntil };
  const { owned } = renewed(yearly, 1, late);
  const rows = [row('capture', 'pi_0', 36_500, start), row('capture', 'pi_1', 36_500, at)];
  const days = (paidUntil - at) / day;
  expect(earlyEndOf(owned, rows, 0, at + 10 * day)).toMatchObject({
    back: Math.round((36_500 * (days - 10)) / days),
    paymentId: 'pi_1',
  });
});

const currencies = ['USD', 'JPY', 'KWD', 'HUF'] as const;
const chargedPlans = fc.record({
  period: fc.constantFrom('quarter' as const, 'half_year' as const, 'year' as const),
  currency: fc.constantFrom(...currencies),
  units: fc.integer({ min: 1, max: 100_000 }),
  introDays: fc.constantFrom(0, 7),
  isFree: fc.boolean(),
  renewals: fc.integer({ min: 0, max: 4 }),
  refundedShare: fc.double({ min: 0, max: 1, noNaN: true }),
  months: fc.constantFrom(0, 1, 2),
  after: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('early end: at most what is left of the payment, in amounts that can be charged, and less each day', () =>
  fc.assert(
    fc.property(chargedPlans, (one) => {
      const multiple = multipleOf(one.currency);
      const price = minor(one.units * multiple);
      const { period, currency, introDays } = one;
      const plan: Plan = { ...yearly, period, currency, price, introDays };
      const isTrial = introDays > 0 && one.isFree;
      const trial = isTrial ? { trialUntil: epochMs(start) } : {};
      const { owned, rows, from, paidUntil, newest } = renewed(plan, one.renewals, trial);
      const refunded = Math.floor(one.refundedShare * one.units) * multiple;
      if (refunded > 0) rows.push(row('refund', newest, refunded, from));
      const now = from + one.after * (paidUntil - from);
      const end = earlyEndOf(owned, rows, one.months, now);
      const first = introDays > 0 && !isTrial ? 2 : 1;
      if (one.renewals < first || refunded >= price) expect(end).toBeNull();
      if (!end) return;
      const net = price - refunded;
      expect(end.paymentId).toBe(newest);
      expect(end.back % multiple).toBe(0);
      expect(end.back).toBeGreaterThan(0);
      expect(end.back).toBeLessThanOrEqual(net);
      expect(end.at).toBeGreaterThanOrEqual(from);
      expect(end.at).toBeLessThan(paidUntil);
      expect(end.at).toBeLessThanOrEqual(Math.max(from, addMonths(now, one.months)));
      const share = (paidUntil - end.at) / (paidUntil - from);
      expect(Math.abs(end.back - net * share)).toBeLessThanOrEqual(multiple);
      const later = earlyEndOf(owned, rows, one.months, now + day)?.back ?? 0;
      expect(later).toBeLessThanOrEqual(end.back);
    }),
  ));

test('early end: its refund is owed once, and not over a dispute', () => {
  const { owned, rows } = renewed();
  const earlyEnd = earlyEndOf(owned, rows, 1, half);
  if (!earlyEnd) throw new Error('none');
  const owes = (more: Row[], change: Partial<Subscription> = {}) =>
    earlyRefundOf({ ...owned, earlyEnd, ...change }, [...rows, ...more]);
  const { back } = earlyEnd;
  expect(owes([])).toBe(back);
  expect(owes([], { earlyEnd: null })).toBe(0);
  expect(owes([], { withdrawnAt: 1 })).toBe(0);
  expect(owes([], { isDisputed: true })).toBe(0);
  expect(owes([row('dispute', 'pi_1', 1, half)])).toBe(0);
  expect(owes([row('refund', 'pi_1', back, half, 'early_end:pi_1')])).toBe(0);
  expect(owes([row('refund', 'pi_1', back, half, 'early_end:pi_1:1')])).toBe(0);
  // An operator refunded most of it meanwhile.
  expect(owes([row('refund', 'pi_1', 36_400, half, 'key')])).toBe(100);
  expect(owes([row('refund', 'pi_1', 36_500, half)])).toBe(0);
});

test('early end: each country is listed with its source, and others have no such right', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const listed = Object.keys(earlyEnds).map((country) => names.of(country) ?? '');
  const [, own = ''] = catalogReadme.split('**Ending a renewed period early**');
  const lines = own.split('\n').filter((line) => /^\|.*\]\(https?:/.test(line));
  expect(lines.map((line) => line.split('|')[1]?.trim())).toEqual(listed.sort());
  expect(['DE', 'NL', 'US', null].map(earlyEndNotice)).toEqual([1, 1, null, null]);
});
