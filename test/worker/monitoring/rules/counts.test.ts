import { expect, test } from 'vitest';
import { median, pastOf } from '../../../../worker/monitoring/rules/counts.ts';

test('counts: the expected level changes smoothly between hours, and is unknown without history', () => {
  const hourOf = (hour: number) => ({ a: hour % 2 === 0 ? 60 : 120 });
  const minute = 1000 * 168 * 60;
  const before = pastOf('a', minute - 1, hourOf);
  const after = pastOf('a', minute, hourOf);
  expect(after).toHaveLength(4);
  expect(Math.abs((before[0] ?? 0) - (after[0] ?? 0))).toBeLessThan(0.05);
  expect(pastOf('a', minute, () => undefined)).toEqual([]);
  expect([median([]), median([3, 1, 2]), median([4, 1])]).toEqual([0, 2, 2.5]);
});
