import { expect, test } from 'vitest';
import { aligned, decimal } from '../../scripts/text-table.ts';

test('minor units have two decimals', () => {
  expect([0, 5, 3999, -500, -5].map(decimal)).toEqual(['0.00', '0.05', '39.99', '-5.00', '-0.05']);
});

test('columns stand under one another, names to the left', () => {
  expect(
    aligned([
      ['name', 'sum'],
      ['a', '1.00'],
      ['longer', '12.00'],
    ]),
  ).toEqual(['name      sum', 'a        1.00', 'longer  12.00']);
  expect(aligned([])).toEqual([]);
});
