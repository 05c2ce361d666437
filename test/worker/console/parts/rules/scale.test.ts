import { expect, test } from 'vitest';
import { line, linear, nice, ticksIn } from '../../../../../worker/console/parts/rules/scale.ts';

test.each([
  [0, 1, [0, 1], [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0, 0.077, [0, 0.08], [0, 0.02, 0.04, 0.06, 0.08]],
  [0, 238, [0, 250], [0, 50, 100, 150, 200, 250]],
  [-120, 1080, [-200, 1200], [0, 500, 1000]],
])('scale: %d to %d is widened to %j with the ticks %j', (low, high, range, ticks) => {
  expect(nice(low, high, 4)).toEqual(range);
  expect(ticksIn(range[0] ?? 0, range[1] ?? 0, 4)).toEqual(ticks);
});

test('scale: values are placed in proportion, and joined by straight lines', () => {
  const y = linear([0, 4], [100, 0]);
  expect([0, 1, 4].map(y.at)).toEqual([100, 75, 0]);
  expect(
    line([
      [0, 100],
      [1 / 3, 75],
      [1, 0],
    ]),
  ).toBe('M0,100L0.33,75L1,0');
});
