import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanced } from '../../../islands/console/balance.ts';

test.each([
  [[50, 50], 0, 60, [60, 40]],
  [[50, 30, 20], 0, 0, [0, 60, 40]],
  [[100, 0, 0], 0, 40, [40, 30, 30]],
  [[100], 0, 40, [100]],
  [[33.34, 33.33, 33.33], 1, 100, [0, 100, 0]],
  [[50, 50], 0, 140, [100, 0]],
])('console shares: %j with place %d at %d become %j', (shares, at, value, after) => {
  expect(balanced(shares, at, value)).toEqual(after);
});

test('console shares: whatever is moved, they add up to 100 and none is negative', () => {
  const share = fc.integer({ min: 0, max: 10_000 }).map((unit) => unit / 100);
  fc.assert(
    fc.property(
      fc.array(share, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.double({ min: -50, max: 150, noNaN: true }),
      (shares, place, value) => {
        const after = balanced(shares, place % shares.length, value);
        const units = after.map((each) => Math.round(each * 100));
        expect(units.reduce((sum, unit) => sum + unit, 0)).toBe(10_000);
        expect(Math.min(...units)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
