import { expect, test } from 'vitest';
import { cohortOf, cohortsWithin } from '../../../../worker/experiments/rules/cohorts.ts';
import { dayMs } from '../../../../worker/platform/durations.ts';

test.each([
  [-1, 'd7'],
  [0, 'd7'],
  [7 * dayMs - 1, 'd7'],
  [7 * dayMs, 'd30'],
  [30 * dayMs, 'd90'],
  [90 * dayMs - 1, 'd90'],
  [90 * dayMs, null],
])('cohorts: a movement %i ms after the sign-up is in %s', (age, name) =>
  expect(cohortOf(age)).toBe(name),
);

test.each([
  [7, ['d7']],
  [30, ['d7', 'd30']],
  [90, ['d7', 'd30', 'd90']],
])('cohorts: the first %i days are %j', (days, names) =>
  expect(cohortsWithin(days)).toEqual(names),
);
