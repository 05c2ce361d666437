import { expect, test } from 'vitest';
import { aligned } from '../../scripts/text-table.ts';

test('text table: columns are aligned, names to the left', () => {
  expect(
    aligned([
      ['name', 'sum'],
      ['a', '1.00'],
      ['longer', '12.00'],
    ]),
  ).toEqual(['name      sum', 'a        1.00', 'longer  12.00']);
  expect(aligned([])).toEqual([]);
});
