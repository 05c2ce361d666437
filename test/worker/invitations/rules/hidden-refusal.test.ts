import { describe, expect, test } from 'vitest';
import {
  endQuietly,
  hiddenUntil,
  hidesRefusal,
  isPending,
  visibleState,
} from '../../../../worker/invitations/rules/hidden-refusal.ts';
import {
  type Act,
  act,
  type By,
  draft,
  type Invitation,
} from '../../../../worker/invitations/rules/invitation.ts';
import { question } from '../invitation-fixture.ts';

const day = 24 * 60 * 60_000;
const week = 7 * day;
const asked = question('a', { id: 'i', duration: 'hour' });

/** A question that was opened, and what came then, a day later. */
function ended(acts: readonly [Act, By][], before: readonly Act[] = ['send', 'open']): Invitation {
  const all = [...before.map((what) => [what, 'person'] as const), ...acts];
  return all.reduce<Invitation>(
    (one, [what, by]) => act(one, what, by, day) ?? one,
    draft(asked, 1, 0),
  );
}

const noes: [string, Invitation][] = [
  ['declined', ended([['decline', 'person']])],
  ['blocked', ended([['block', 'person']])],
  ['reported', ended([['block', 'report']])],
  ['unanswered', ended([['expire', 'clock']])],
  ['refused by the vendor', ended([['expire', 'vendor']], [])],
  ['held back', ended([['expire', 'hold']], [])],
  ['in a country that is off', ended([['expire', 'country']], [])],
  [
    'stopped before anybody saw the yes',
    ended([
      ['accept', 'person'],
      ['stop', 'person'],
    ]),
  ],
];

describe('one rule for every end without a yes that was shown', () => {
  test.each(noes)('%s: it seems open for a week from the question', (_what, one) => {
    expect([hidesRefusal(one, week - 1), isPending(one, week - 1)]).toEqual([true, true]);
    expect([hidesRefusal(one, week), isPending(one, week)]).toEqual([false, false]);
    expect([visibleState(one, week - 1), visibleState(one, week)]).toEqual(['open', 'refused']);
    expect(hiddenUntil(one)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each(noes)(
    '%s, and then taken back: over at once, and no reason for money back',
    (_what, one) => {
      const back = endQuietly(one, 2 * day);
      expect([isPending(back, 2 * day), visibleState(back, week), back.name]).toEqual([
        false,
        'open',
        '',
      ]);
      expect(back.evidence.at(-1)).toEqual({
        at: 2 * day,
        state: one.state,
        by: 'requester',
        text: 1,
      });
    },
  );
});

test('a question taken back unanswered stands as one taken back after a no', () => {
  const one = ended([['expire', 'requester']]);
  expect([isPending(one, day), visibleState(one, week)]).toEqual([false, 'open']);
  expect(hiddenUntil(one)).toBe(Number.POSITIVE_INFINITY);
});

test('what is open is pending, and no reason for money back', () => {
  const one = ended([]);
  expect([isPending(one, day), hidesRefusal(one, day), visibleState(one, day)]).toEqual([
    true,
    false,
    'open',
  ]);
});

test('a yes that was shown ends in sight, and the same account rests a week from its end', () => {
  const one = {
    ...ended([
      ['accept', 'person'],
      ['stop', 'person'],
    ]),
    seen: true,
  };
  expect([isPending(one, day), visibleState(one, week)]).toEqual([false, 'agreed']);
  expect(hiddenUntil(one)).toBe(day + week);
});

test('it may be asked again at once when its time ran out, or when it was taken back unsent', () => {
  const ranOut = ended([
    ['accept', 'person'],
    ['stop', 'clock'],
  ]);
  expect([isPending(ranOut, day), hiddenUntil(ranOut)]).toEqual([false, 0]);
  expect(hiddenUntil(ended([['expire', 'requester']], []))).toBe(0);
});
