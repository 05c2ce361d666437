import { expect, test } from 'vitest';
import { nearest, stepTo } from '../../../islands/console/chart.ts';

const points = [{ x: 0 }, { x: 50 }, { x: 100 }];

test.each([
  [0, 0],
  [24, 0],
  [26, 1],
  [90, 2],
  [-10, 0],
  [400, 2],
])('console chart: the pointer at %d %% reads point %d', (x, at) => {
  expect(nearest(points, x)).toBe(at);
});

test('console chart: arrows, Home and End move within the points', () => {
  expect(stepTo('ArrowRight', 1, 3)).toBe(2);
  expect(stepTo('ArrowRight', 2, 3)).toBe(2);
  expect(stepTo('ArrowLeft', 0, 3)).toBe(0);
  expect([stepTo('Home', 2, 3), stepTo('End', 0, 3)]).toEqual([0, 2]);
  expect(stepTo('Tab', 1, 3)).toBeNull();
});
