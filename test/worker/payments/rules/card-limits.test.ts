import { expect, test } from 'vitest';
import { attemptRefusal, isSurge } from '../../../../worker/payments/rules/card-limits.ts';

test.each([
  [30, 42, true],
  [30, 43, false],
  [29, 29, false],
  [0, 0, false],
  [700, 1000, true],
])('card testing: %i declines of %i decisions are a surge: %s', (declined, decided, is) => {
  expect(isSurge(declined, decided)).toBe(is);
});

test.each([
  [0, false, null],
  [4, false, null],
  [5, false, 'too_many_declines'],
  [0, true, null],
  [1, true, 'card_testing_protection'],
  [5, true, 'too_many_declines'],
])(
  'card testing: after %i attempts, with a surge: %s, the next is refused as %s',
  (tries, surging, refusal) => {
    expect(attemptRefusal(tries, surging)).toBe(refusal);
  },
);
