import { expect, test } from 'vitest';
import { earlyFigures } from './targets.ts';

const met = (...touches: number[]) =>
  earlyFigures(
    'one_pager',
    touches.map((touch) => ({ lost: 0, touch })),
  ).map((figure) => figure.met);

test('a touch that nobody saw answered misses its target, like a slow one', () => {
  expect(met(48)).toEqual([true, true]);
  expect(met(208)).toEqual([true, false]);
  expect(met(0)).toEqual([true, false]);
  expect(met(0, 0, 48)).toEqual([true, false]);
});
