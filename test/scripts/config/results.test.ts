import { expect, test } from 'vitest';
import { factsOf } from '../../../scripts/config/results.ts';

test('rows of four questions become facts by arm', () => {
  const facts = factsOf([
    [
      { arm: 'intro/7d', count: 40 },
      { arm: 'fullPrice', count: 50 },
    ],
    [{ arm: 'fullPrice', count: 9 }],
    [{ arm: 'fullPrice', count: 3 }],
    [
      { arm: 'fullPrice', currency: 'USD', count: 11_997 },
      { arm: 'fullPrice', currency: 'EUR', count: 2999 },
      { arm: 'older', currency: 'USD', count: 1 },
    ],
  ]);
  expect(facts).toEqual([
    {
      arm: 'fullPrice',
      visitors: 50,
      signUps: 9,
      purchases: 3,
      revenue: { USD: 11_997, EUR: 2999 },
    },
    { arm: 'intro/7d', visitors: 40, signUps: 0, purchases: 0, revenue: {} },
    { arm: 'older', visitors: 0, signUps: 0, purchases: 0, revenue: { USD: 1 } },
  ]);
});
