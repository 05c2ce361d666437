import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { receiptViews } from '../../../../worker/payments/notices/receipt.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { attempt, charge, germanTerms, movement } from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const at = (date: string) => epochMs(Date.parse(`${date}T12:00Z`));

const [intro, monthly, quarterly, guide] = (
  ['monthly_7d', 'monthly', 'quarterly', 'guide_1799'] as const
).map((family) => builtInCatalog.planOf(family, 'EUR')) as [
  ReturnType<typeof builtInCatalog.planOf>,
  ReturnType<typeof builtInCatalog.planOf>,
  ReturnType<typeof builtInCatalog.planOf>,
  ReturnType<typeof builtInCatalog.planOf>,
];

type Kind = 'capture' | 'refund' | 'dispute';
const row = (kind: Kind, paymentId: string, amount: number, date: string) => ({
  id: `${kind}:${paymentId}`,
  kind,
  ...movement({ amount, paymentId, at: at(date) }),
});
type Row = ReturnType<typeof row>;

function receipts(rows: Row[], change: Partial<Subscription>, [plan, boughtPlan] = [intro, intro]) {
  const bought = attempt({ plan: boughtPlan, state: 'active', charge, terms: germanTerms() });
  const subscription = { ...startSubscription(bought, 0).subscription, plan, ...change };
  const about = { boughtPlan, coupon: null, terms: bought.terms };
  return receiptViews({ ...about, subscription, rows });
}

const introRows = [
  row('capture', 'pi_1', 699, '2026-01-24'),
  // Its day does not exist in February, and it was paid two days late.
  row('capture', 'pi_2', 3999, '2026-02-02'),
  row('capture', 'pi_3', 3999, '2026-02-28'),
];
const days = (rows: ReturnType<typeof receipts>) =>
  rows.map(({ covers }) =>
    covers ? [covers.from, covers.to].map((ms) => new Date(ms).toISOString().slice(0, 10)) : null,
  );

test('receipts: the newest first, the intro by its name and each renewal by the plan', () => {
  const views = receipts(introRows, { paidUntil: at('2026-03-31') });
  expect(views.map(({ id, amount, introDays }) => [id, amount, introDays])).toEqual([
    ['pi_3', 3999, 0],
    ['pi_2', 3999, 0],
    ['pi_1', 699, 7],
  ]);
  expect(views.every(({ taxIncluded }) => taxIncluded)).toBe(true);
});

test('receipts: each period follows the one before, however late it was paid', () => {
  expect(days(receipts(introRows, { paidUntil: at('2026-03-31') }))).toEqual([
    ['2026-02-28', '2026-03-31'],
    ['2026-01-31', '2026-02-28'],
    ['2026-01-24', '2026-01-31'],
  ]);
});

test('receipts: an end stated by the gateway applies to the last period only', () => {
  expect(days(receipts(introRows, { paidUntil: at('2026-03-15') }))).toEqual([
    ['2026-02-28', '2026-03-15'],
    null,
    null,
  ]);
});

test('receipts: after a pause and after a change of plan a period begins with its payment', () => {
  const rows = [
    row('capture', 'pi_1', 3999, '2026-01-10'),
    row('capture', 'pi_2', 3999, '2026-04-10'),
    row('capture', 'pi_3', 4100, '2026-04-20'),
  ];
  const changed = { plan: quarterly, at: at('2026-04-20') };
  const views = receipts(rows, { paidSince: changed, paidUntil: at('2026-07-20') }, [
    quarterly,
    monthly,
  ]);
  expect(views.map(({ period }) => period)).toEqual(['quarter', 'month', 'month']);
  expect(days(views)).toEqual([
    ['2026-04-20', '2026-07-20'],
    ['2026-04-10', '2026-05-10'],
    ['2026-01-10', '2026-02-10'],
  ]);
});

test('receipts: a payment less than a day from a change of plan paid for the change', () => {
  const changedAt = at('2026-01-20');
  const periodsAt = (paidAt: number) => {
    const rows = [
      row('capture', 'pi_1', monthly.price, '2026-01-10'),
      { ...row('capture', 'pi_2', 500, '2026-01-20'), at: epochMs(paidAt) },
    ];
    const paidSince = { plan: quarterly, at: changedAt };
    return receipts(rows, { paidSince }, [monthly, monthly]).map(({ period }) => period);
  };
  for (const side of [-1, 1]) {
    expect(periodsAt(changedAt + side * (day - 1))).toEqual(['quarter', 'month']);
    expect(periodsAt(changedAt + side * day)).toEqual(['month', 'month']);
  }
});

test('receipts: periods that end a day from the end stated by the gateway are uncertain', () => {
  const end = at('2026-03-31');
  const first = (paidUntil: number) =>
    days(receipts(introRows, { paidUntil: epochMs(paidUntil) })).at(-1);
  for (const side of [-1, 1]) {
    expect(first(end + side * (day - 1))).toEqual(['2026-01-24', '2026-01-31']);
    expect(first(end + side * day)).toBeNull();
  }
});

test('receipts: a plan that changed at its renewal is recognized by its price', () => {
  const rows = [
    row('capture', 'pi_1', quarterly.price, '2026-01-10'),
    row('capture', 'pi_2', quarterly.price, '2026-04-10'),
    row('capture', 'pi_3', monthly.price, '2026-07-10'),
  ];
  const views = receipts(rows, { paidUntil: at('2026-08-10') }, [monthly, quarterly]);
  expect(views.map(({ period }) => period)).toEqual(['month', 'quarter', 'quarter']);
});

test('receipts: a refund and a lost dispute are lines below the payment that they reduce', () => {
  const [first, ...others] = introRows as [Row, ...Row[]];
  const rows = [
    first,
    ...others,
    row('refund', 'pi_2', 1000, '2026-03-01'),
    row('dispute', 'pi_3', 3999, '2026-03-02'),
  ];
  const views = receipts(rows, { paidUntil: at('2026-03-31') });
  expect(views.map(({ id, refunds }) => [id, refunds.map(({ amount }) => amount)])).toEqual([
    ['pi_3', [3999]],
    ['pi_2', [1000]],
    ['pi_1', []],
  ]);
});

test('receipts: money that a bank took back is told from a refund', () => {
  const disputed = [...introRows.slice(0, 1), row('dispute', 'pi_1', 100, '2026-02-01')];
  const both = [...disputed, row('refund', 'pi_1', 599, '2026-02-02')];
  const [view] = receipts(both, { paidUntil: at('2026-01-31') });
  expect(view?.refunds.map((one) => [one.amount, one.disputed])).toEqual([
    [100, true],
    [599, false],
  ]);
});

test('receipts: a one-time purchase covers no period', () => {
  const rows = [row('capture', 'pi_1', 1799, '2026-01-10')];
  expect(receipts(rows, { paidUntil: null }, [guide, guide])).toMatchObject([
    { id: 'pi_1', period: 'once', covers: null },
  ]);
});

test('receipts: the saved method is shown only on payments after it was saved, and only while it is current', () => {
  const cardChangedAt = epochMs(at('2026-02-28') - day);
  const methods = (change: Partial<Subscription>) =>
    receipts(introRows, { paidUntil: at('2026-03-31'), ...change }).map((one) => one.savedMethodAt);
  expect(methods({})).toEqual(['stripe', 'stripe', 'stripe']);
  expect(methods({ cardChangedAt })).toEqual(['stripe', null, null]);
  expect(methods({ status: 'ended' })).toEqual([null, null, null]);
});

test('receipts: an end at the time of the payment is no period', () => {
  const [only] = introRows.slice(2);
  const shown = only ? receipts([only], { paidUntil: only.at }, [monthly, monthly]) : [];
  expect(days(shown)).toEqual([null]);
});

test('receipts: a period begins anew with a payment more than 21 days late, and without payments there is none', () => {
  const end = at('2026-02-10');
  const second = (late: number) => {
    const paid = row('capture', 'pi_2', monthly.price, '2026-03-03');
    const rows = [
      row('capture', 'pi_1', monthly.price, '2026-01-10'),
      { ...paid, at: epochMs(end + late) },
    ];
    const paidUntil =
      late > 21 * day ? epochMs(at('2026-04-03') + late - 21 * day) : at('2026-03-10');
    return days(receipts(rows, { paidUntil }, [monthly, monthly]))[0]?.[0];
  };
  expect([second(21 * day), second(21 * day + 1)]).toEqual(['2026-02-10', '2026-03-03']);
  expect(receipts([], { paidUntil: end })).toEqual([]);
});
