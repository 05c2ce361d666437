import { expect, test } from 'vitest';
import { isSurge, refusalOf } from '../../../../worker/payments/fraud/card-limit-rules.ts';

test.each([
  [30, 42, true],
  [30, 43, false],
  [29, 29, false],
  [0, 0, false],
  [700, 1000, true],
])('%i declines among %i decisions are a surge: %s', (declined, decided, is) => {
  expect(isSurge(declined, decided)).toBe(is);
});

test.each([
  [0, false, null],
  [4, false, null],
  [5, false, 'declines_enough'],
  [0, true, null],
  [1, true, 'payments_slowed'],
  [5, true, 'declines_enough'],
])('after %i tries, with a surge: %s, the next is refused as %s', (tries, surging, refusal) => {
  expect(refusalOf(tries, surging)).toBe(refusal);
});
