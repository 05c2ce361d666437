import { expect, test } from 'vitest';
import { Throttle } from '../../../worker/analytics/log-throttle.ts';

test('a stretch takes so many and no more, the next one as many again', () => {
  const throttle = new Throttle(2, 1000);
  const at = [0, 400, 999, 1000, 1500, 1999, 5000];
  expect(at.map((now) => throttle.allows(now))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});
