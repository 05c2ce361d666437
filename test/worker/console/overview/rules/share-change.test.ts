import { expect, test } from 'vitest';
import { shareChange } from '../../../../../worker/console/overview/rules/share-change.ts';

test.each([
  [{ part: 200, of: 1000 }, { part: 100, of: 1000 }, true, 'better'],
  [{ part: 200, of: 1000 }, { part: 100, of: 1000 }, false, 'worse'],
  [{ part: 100, of: 1000 }, { part: 200, of: 1000 }, true, 'worse'],
  [{ part: 3, of: 10 }, { part: 2, of: 10 }, true, 'same'],
  [{ part: 0, of: 10 }, { part: 0, of: 10 }, true, 'same'],
])('share change: %j after %j, with more being better %s, is %s', (now, before, more, kind) =>
  expect(shareChange(now, before, more)?.kind).toBe(kind),
);

test('share change: it is in points, and missing without a comparison', () => {
  expect(shareChange({ part: 3, of: 10 }, { part: 2, of: 10 })?.points).toBeCloseTo(0.1);
  expect(shareChange({ part: 3, of: 10 }, { part: 0, of: 0 })).toBeNull();
});
