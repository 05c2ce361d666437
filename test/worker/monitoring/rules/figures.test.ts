import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Counts, median, pastOf } from '../../../../worker/monitoring/rules/counts.ts';
import { findingsIn } from '../../../../worker/monitoring/rules/findings.ts';
import {
  differencesInWords,
  type NightlyResult,
  reconciliationFindings,
  withDueDays,
} from '../../../../worker/monitoring/rules/nightly-result.ts';
import { rollupGrowth } from '../../../../worker/monitoring/rules/rollup-growth.ts';
import { sampleRatioFindings } from '../../../../worker/monitoring/rules/sample-ratio.ts';
import { positionOf } from '../../../../worker/monitoring/rules/vitals.ts';
import { zScoreOf } from '../../../../worker/monitoring/rules/z-score.ts';

/** The same counts each minute. */
const steady = (now: Record<string, number>, past: Record<string, number> = now): Counts => ({
  series: Object.keys({ ...now, ...past }),
  sum: (series, from, to) => (now[series] ?? 0) * (to - from),
  past: (series) => [1, 2, 3, 4].map(() => past[series] ?? 0),
});

test('z-score: it grows with distance and volume, and is low for zero where few were expected', () => {
  expect(zScoreOf(50, 50)).toBeCloseTo(0);
  expect(zScoreOf(0, 4)).toBeGreaterThan(-3);
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (expected, share) => {
        const drop = zScoreOf(expected * share, expected);
        expect(drop).toBeLessThanOrEqual(0);
        expect(zScoreOf(expected * (2 - share), expected)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

test('counts: the expected level changes smoothly between hours, and is unknown without history', () => {
  const hourOf = (hour: number) => ({ a: hour % 2 === 0 ? 60 : 120 });
  const minute = 1000 * 168 * 60;
  const before = pastOf('a', minute - 1, hourOf);
  const after = pastOf('a', minute, hourOf);
  expect(after).toHaveLength(4);
  expect(Math.abs((before[0] ?? 0) - (after[0] ?? 0))).toBeLessThan(0.05);
  expect(pastOf('a', minute, () => undefined)).toEqual([]);
  expect([median([]), median([3, 1, 2]), median([4, 1])]).toEqual([0, 2, 2.5]);
});

test('findings: a usual share is none; a share without history is compared with the previous hours', () => {
  const usual = { 'email|tried': 50, 'email|refused': 1 };
  expect(findingsIn(steady(usual), 1000)).toEqual([]);
  const young: Counts = {
    ...steady(usual),
    past: () => [],
    sum: (series, from, to) =>
      series === 'email|refused' && to > 990
        ? 30 * (to - from)
        : (to - from) * 50 * Number(series === 'email|tried'),
  };
  expect(findingsIn(young, 1000)).toMatchObject([{ kind: 'email_refused', area: 'email' }]);
});

test('vitals: a quantile is found within its bucket', () => {
  expect(positionOf([0, 10, 10], 0.5)).toBe(2);
  expect(positionOf([0, 10, 10], 0.75)).toBe(2.5);
  expect(positionOf([], 0.5)).toBe(0);
});

test('sample ratio: the weights are expected, and new weights only once they are served', () => {
  const splits = [{ experiment: 'e', weights: { a: 3, b: 1, off: 0 }, since: 0 }];
  const of = (a: number, b: number) => steady({ 'exposure|e|a': a, 'exposure|e|b': b });
  expect(sampleRatioFindings(of(30, 10), 1000, splits)).toEqual([]);
  expect(sampleRatioFindings(of(20, 20), 1000, splits)).toMatchObject([
    { kind: 'sample_ratio', area: 'experiment:e' },
  ]);
  const [first] = splits;
  const fresh = first ? [{ ...first, since: 998 }] : [];
  expect(sampleRatioFindings(of(20, 20), 1000, fresh)).toEqual([]);
  expect(
    sampleRatioFindings(of(20, 20), 1000, [{ ...splits[0], weights: { a: 1 } } as never]),
  ).toEqual([]);
});

test('rollups: growth includes late events of past hours, and never shrinks', () => {
  const before = { 10: { a: 5, b: 2 } };
  const after = { 10: { a: 6, b: 1 }, 11: { a: 3 } };
  expect(rollupGrowth(before, after)).toEqual({ a: 4 });
});

const result = (change: Partial<NightlyResult> = {}): NightlyResult => ({
  gateway: 'stripe',
  day: '2026-11-21',
  startedAt: Date.UTC(2026, 10, 22, 3),
  finishedAt: Date.UTC(2026, 10, 22, 4),
  cursor: null,
  phase: 'payouts',
  compared: 5,
  fetchedEvents: 0,
  differences: [],
  ...change,
});

test('nightly: each day is due once, after 3:00 UTC, and an unfinished one continues', () => {
  const at = (hour: number) => Date.UTC(2026, 10, 23, hour);
  const done = result();
  expect(withDueDays([done], ['stripe'], at(2))).toEqual([done]);
  const [kept, due] = withDueDays([done], ['stripe'], at(3));
  expect([kept, due?.day, due?.finishedAt]).toEqual([done, '2026-11-22', null]);
  expect(withDueDays([done, due as NightlyResult], ['stripe'], at(9))).toEqual([done, due]);
  const next = { ...(due as NightlyResult), finishedAt: at(4) };
  expect(withDueDays([done, next], ['stripe'], at(5))).toEqual([next]);
});

const difference = {
  kind: 'captured_unsold',
  gateway: 'stripe',
  attempt: 'a',
  currency: 'USD',
  ledger: null,
} as const;

test('nightly: differences are reported with sums by kind and currency', () => {
  const differences = [699, 1299, 100, 1].map((provider, at) => ({
    ...difference,
    id: `capture:pi_${at}`,
    provider,
  }));
  expect(differencesInWords(differences)).toBe(
    'captured, nothing sold: 4, 20.99 USD (capture:pi_0, capture:pi_1, capture:pi_2, …)',
  );
  const minute = Date.UTC(2026, 10, 22, 12) / 60_000;
  expect(reconciliationFindings([result({ differences })], minute)).toMatchObject([
    { kind: 'reconciliation_differs', area: 'reconciliation:stripe' },
  ]);
  expect(reconciliationFindings([result()], minute)).toEqual([]);
  const open = result({ finishedAt: null });
  expect(reconciliationFindings([open], minute)).toMatchObject([{ kind: 'reconciliation_late' }]);
  expect(reconciliationFindings([open], Date.UTC(2026, 10, 22, 5) / 60_000)).toEqual([]);
});
