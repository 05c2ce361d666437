import { expect, test } from 'vitest';
import { minorOf } from '../../../scripts/operations/amount.ts';

test('a sum is written with two decimals', () => {
  expect(['12.50', '0.01', '39.99', '1.10'].map(minorOf)).toEqual([1250, 1, 3999, 110]);
  for (const text of ['12', '12.5', '12,50', '-1.00', '0.00', '1e3.00', '', '1.005']) {
    expect(() => minorOf(text)).toThrow('write it with two decimals');
  }
});
