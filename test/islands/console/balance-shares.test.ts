import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanced, totalShare } from '../../../islands/console/balance-shares.ts';

test.each([
  [[60, 50], [0], [60, 40]],
  [[0, 30, 20], [0], [0, 60, 40]],
  [[40, 0, 0], [0], [40, 30, 30]],
  [[33.34, 100, 33.33], [1], [0, 100, 0]],
  [
    [60, 40, 40],
    [0, 2],
    [60, 0, 40],
  ],
  [
    [60, 40, 50],
    [0, 2],
    [60, 40, 50],
  ],
  [
    [60, 30],
    [0, 1],
    [60, 30],
  ],
  [[4040, 60], [0], [4040, 60]],
])('console shares: with %j, keeping the positions %j, the result is %j', (shares, kept, after) => {
  expect(balanced(shares, new Set(kept))).toEqual(after);
});

test('console shares: kept shares stay, and all add up to 100 if possible', () => {
  const share = fc.integer({ min: 0, max: 10_000 }).map((unit) => unit / 100);
  const shares = fc.array(fc.tuple(share, fc.boolean()), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(shares, (all) => {
      const before = all.map(([value]) => value);
      const kept = new Set(all.flatMap(([, stays], at) => (stays ? [at] : [])));
      const after = balanced(before, kept);
      for (const at of kept) expect(after[at]).toBe(before[at]);
      const isPossible = totalShare([...kept].map((at) => before[at] ?? 0)) <= 100;
      if (kept.size < all.length && isPossible) expect(totalShare(after)).toBe(100);
      else expect(after).toEqual(before);
      expect(Math.min(...after)).toBeGreaterThanOrEqual(0);
    }),
  );
});
