import { expect, test } from 'vitest';
import { estimatesOf } from '../../../../../worker/console/experiments/rules/estimates.ts';
import { arm } from '../../../../scripts/config/command-context.ts';

const now = Date.UTC(2026, 11, 1, 12);
const half = [arm('a', 50), arm('b', 50)];

test('estimates: visitors per variant, and days at the traffic of a week', () => {
  const estimates = estimatesOf(half, { visitors: 70_000, purchases: 14_000 }, now);
  expect(estimates.map((line) => /by ([\d.]+)%/.exec(line)?.[1])).toEqual(['5', '10', '20']);
  expect(estimates[2]).toBe(
    'To detect a rise of purchases by 20%, from 20% of visitors in the last seven days to 24%: 1,683 visitors per variant, about 1 day, until 2026-12-02 if the test starts today.',
  );
});

test('estimates: a small share takes longer, and only shares above zero count', () => {
  const days = (variants: typeof half) =>
    Number(
      /about ([\d,]+) days/
        .exec(estimatesOf(variants, { visitors: 700, purchases: 70 }, now)[0] ?? '')?.[1]
        ?.replaceAll(',', ''),
    );
  expect(days([arm('a', 90), arm('b', 10)])).toBeGreaterThan(4 * days(half));
  expect(days([...half, arm('c', 0)])).toBe(days(half));
});

test('estimates: a single variant has no estimate', () =>
  expect(estimatesOf([arm('a', 100)], { visitors: 700, purchases: 70 }, now)).toEqual([]));

test.each([
  { visitors: 0, purchases: 0 },
  { visitors: 700, purchases: 0 },
])('estimates: %j has no estimate', (traffic) => {
  expect(estimatesOf(half, traffic, now)).toEqual([
    'There were no purchases in the last seven days, so nothing can be estimated.',
  ]);
});

test('estimates: a lift that exceeds a share of 100 percent is left out', () =>
  expect(estimatesOf(half, { visitors: 100, purchases: 90 }, now)).toHaveLength(2));
