import { expect, test } from 'vitest';
import type { Counts } from '../../../../worker/monitoring/rules/counts.ts';
import { findingsIn } from '../../../../worker/monitoring/rules/findings.ts';

/** The same counts each minute. */
const steady = (now: Record<string, number>): Counts => ({
  series: Object.keys(now),
  sum: (series, from, to) => (now[series] ?? 0) * (to - from),
  past: (series) => [1, 2, 3, 4].map(() => now[series] ?? 0),
});

test('findings: a usual share causes none; a share without history is compared with the previous hours', () => {
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
