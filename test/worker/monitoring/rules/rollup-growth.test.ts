import { expect, test } from 'vitest';
import { rollupGrowth } from '../../../../worker/monitoring/rules/rollup-growth.ts';

test('rollups: growth includes late events of past hours, and never shrinks', () => {
  const before = { 10: { a: 5, b: 2 } };
  expect(rollupGrowth(before, { 10: { a: 6, b: 1 }, 11: { a: 3 } })).toEqual({ a: 4 });
});
