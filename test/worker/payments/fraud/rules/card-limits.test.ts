import { expect, test } from 'vitest';
import {
  attemptRefusal,
  attemptWindowMs,
  countsAsCardAttempt,
  firstBucket,
  isSurge,
  limitBucket,
  surge,
  tooManyCardAttempts,
} from '../../../../../worker/payments/fraud/rules/card-limits.ts';
import type { Attempt } from '../../../../../worker/payments/purchase/state.ts';
import { attempt } from '../../attempts/attempt-fixture.ts';

const minute = 60_000;

test('card testing: the window, the share and the duration of the protection', () => {
  expect(attemptWindowMs).toBe(60 * minute);
  expect(surge).toEqual({
    windowMs: 10 * minute,
    declines: 30,
    share: 0.7,
    durationMs: 30 * minute,
    maxAttempts: 1,
  });
});

test.each([
  [30, 42, true],
  [30, 43, false],
  [29, 29, false],
  [0, 0, false],
  [700, 1000, true],
  [699, 1000, false],
])('card testing: %i declines of %i decisions are a surge: %s', (declined, decided, is) => {
  expect(isSurge(declined, decided)).toBe(is);
});

test.each([
  [0, false, undefined],
  [4, false, undefined],
  [5, false, 'too_many_declines'],
  [0, true, undefined],
  [1, true, 'card_testing_protection'],
  [5, true, 'too_many_declines'],
])(
  'card testing: after %i attempts, with a surge: %s, the next is refused as %s',
  (tries, surging, refusal) => expect(attemptRefusal(tries, surging)?.refusal).toBe(refusal),
);

test.each<[Attempt['state'], number | null, boolean]>([
  ['open', null, true],
  ['sent', null, true],
  ['challenged', 1, true],
  ['returned', 1, true],
  ['declined', null, true],
  ['failed', 1, true],
  ['failed', 0, true],
  ['failed', null, false],
  ['active', null, false],
  ['active', 1, false],
])(
  'card limits: an attempt that is %s, challenged at %s, counts: %s',
  (state, challengedAt, counts) =>
    expect(countsAsCardAttempt(attempt({ state, challengedAt }))).toBe(counts),
);

const declines = (count: number, openedAt = 0) =>
  Array.from({ length: count }, () => attempt({ state: 'declined', openedAt }));

test('card limits: five attempts that count are too many', () => {
  const paid = attempt({ state: 'active' });
  expect(tooManyCardAttempts([], 0)).toBe(false);
  expect(tooManyCardAttempts(declines(5), 0)).toBe(true);
  expect(tooManyCardAttempts(declines(6), 0)).toBe(true);
  expect(tooManyCardAttempts([...declines(4), paid, paid], 0)).toBe(false);
});

test('card limits: an attempt counts for less than an hour', () => {
  const opened = 500;
  expect(tooManyCardAttempts(declines(5, opened), opened + 60 * minute - 1)).toBe(true);
  expect(tooManyCardAttempts(declines(5, opened), opened + 60 * minute)).toBe(false);
  const mixed = [...declines(4, opened), ...declines(1, opened - 1)];
  expect(tooManyCardAttempts(mixed, opened + 60 * minute - 1)).toBe(false);
});

test('card testing: decisions are counted by ten seconds, and for ten minutes', () => {
  expect([limitBucket(9999), limitBucket(10_000)]).toEqual([0, 1]);
  expect(firstBucket(11 * minute)).toBe(limitBucket(minute));
});
