import { expect, it } from 'vitest';
import { vitalsFindings } from '../../../../worker/monitoring/rules/vitals.ts';

const minute = 30_000_000;

/** Samples of the last hour and of the same hour in past weeks, by bucket. */
function findings(now: readonly number[], past: readonly number[], deployedAt = 0) {
  const series = now.map((_, at) => `vitals|lcp|${at}`);
  const at = (name: string) => Number(name.split('|').at(-1));
  return vitalsFindings(
    {
      series,
      sum: (name) => now[at(name)] ?? 0,
      past: (name) => [past[at(name)] ?? 0],
    },
    minute,
    deployedAt,
  );
}

const fast = [400, 0, 0, 0, 0, 0];
const slow = [0, 0, 0, 0, 0, 400];

it('web vitals: an alarm says how much worse the 75th percentile is than usual', () => {
  const [finding, ...more] = findings(slow, fast);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ kind: 'vitals_worse', area: 'vitals' });
  // Five buckets, three of which double the value.
  expect(finding?.detail).toBe(
    'LCP at the 75th percentile is 217 % worse than usual (400 samples)',
  );
});

it.each([
  ['values as usual', slow, slow],
  ['better values', fast, slow],
  ['too few samples', [0, 0, 0, 0, 0, 299], fast],
  // Every third sample is slow, instead of every fourth.
  ['a difference that may be chance', [210, 0, 90], [300, 0, 100]],
  ['a site without a past', slow, [0, 0, 0, 0, 0, 0]],
] as const)('web vitals: no alarm for %s', (_case, now, past) => {
  expect(findings(now, past)).toEqual([]);
});

it('web vitals: an alarm needs 300 samples since the last deploy, or in the last hour', () => {
  const enough = [0, 0, 0, 0, 0, 300];
  expect(findings(enough, fast)).toMatchObject([{ since: minute - 60 }]);
  expect(findings(enough, fast, minute - 20)).toMatchObject([{ since: minute - 20 }]);
});

it.each([
  ['by more than chance', [247, 0, 153], [246, 0, 154]],
  ['by a fifth', [0, 400, 0], [0, 360, 40]],
] as const)(
  'web vitals: an alarm needs the 75th percentile to be worse %s',
  (_case, less, more) => {
    const past = [300, 0, 100];
    expect(findings(less, past)).toEqual([]);
    expect(findings(more, past)).toHaveLength(1);
  },
);
