import { expect, test } from 'vitest';
import { answerEmail, answerEmailAt } from '../../../../worker/invitations/rules/answer-email.ts';
import {
  endedFor,
  guaranteeAnswer,
  hidesRefusal,
} from '../../../../worker/invitations/rules/hidden-refusal.ts';
import {
  type Actor,
  asOf,
  type Invitation,
  type InvitationAction,
  newInvitation,
  transition,
} from '../../../../worker/invitations/rules/invitation.ts';
import { dayMs, hourMs } from '../../../../worker/platform/durations.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';
import { draftOf, morning } from '../invitation-fixture.ts';

const deadline = morning + 7 * dayMs;

/** @param more set once there is something to end */
function after(
  steps: readonly (readonly [InvitationAction, Actor])[],
  more: Partial<Invitation> = {},
): Invitation {
  let one = newInvitation(draftOf('account' as AccountId), 1, morning);
  for (const [action, by] of [['send', 'vendor'], ['open', 'invitee'], ...steps] as const) {
    if (one.state === 'accepted') Object.assign(one, more);
    one = transition(one, action, by, morning) ?? one;
  }
  return one;
}

const refusals = {
  declined: after([['decline', 'invitee']]),
  blocked: after([['block', 'invitee']]),
  reported: after([['block', 'report']]),
  unanswered: after([]),
  'withdrawn before anybody knew': after([
    ['accept', 'invitee'],
    ['stop', 'invitee'],
  ]),
};

test.each(Object.entries(refusals))('answer by e-mail: %s is told at the deadline', (_how, one) => {
  const over = asOf(one, deadline);
  expect(answerEmail(over)).toEqual({ answer: 'no', dueAt: deadline });
  expect(answerEmailAt(over, morning)).toBe(deadline);
  expect(answerEmailAt(over, deadline + dayMs)).toBeNull();
  expect(endedFor(over)).toBeNull();
});

const yes = after([['accept', 'invitee']]);
const told = { told: 'yes' } as const;

test('answer by e-mail: a yes is told at once and once, unless the page has shown it', () => {
  expect(answerEmail(yes)).toEqual({ answer: 'yes', dueAt: yes.acceptedAt });
  expect(answerEmail({ ...yes, ...told })).toBeNull();
  expect(answerEmail({ ...yes, acceptanceSeen: true })).toBeNull();
  expect(answerEmail({ ...yes, unconfirmedBrowser: 'browser' })).toBeNull();
  expect(answerEmail({ ...yes, numberEnd: '' })).toBeNull();
});

const ends = [
  ['invitee', 'invitee'],
  ['report', 'invitee'],
  ['requester', 'requester'],
  ['clock', 'time'],
  ['plan', null],
] as const;

test.each(ends)(
  'answer by e-mail: after a yes that was told, an end by the %s is known as %j',
  (by, known) => {
    const one = after(
      [
        ['accept', 'invitee'],
        ['stop', by],
      ],
      told,
    );
    expect(endedFor(one)).toBe(known);
    expect(hidesRefusal(one, morning + hourMs)).toBe(false);
    expect(answerEmail(one)).toBeNull();
    // An e-mail is no location: the guarantee counts what was seen.
    const early = by === 'clock' ? 'refused' : 'open';
    expect(guaranteeAnswer(one, morning + hourMs)).toBe(early);
    expect(guaranteeAnswer(one, deadline)).toBe(by === 'requester' ? 'open' : 'refused');
  },
);

test('answer by e-mail: whoever took an invitation back gets none', () => {
  const one = after([['expire', 'requester']]);
  expect(answerEmail(one)).toBeNull();
  expect(endedFor(one)).toBe('requester');
});
