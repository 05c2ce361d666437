import { expect, test } from 'vitest';
import { rollupGrowth } from '../../../../worker/monitoring/rules/rollup-growth.ts';

test('rollups: growth includes late events of past hours, and never shrinks', () => {
  const before = { 10: { a: 5, b: 2 } };
  const after = { 10: { a: 6, b: 1 }, 11: { a: 3 } };
  expect(rollupGrowth(before, after)).toEqual({ a: 4 });
});
