import { describe, expect, test } from 'vitest';
import {
  cancelUnseen,
  guaranteeAnswer,
  hidesRefusal,
  looksPending,
  mayInviteAgainAt,
} from '../../../../worker/invitations/rules/hidden-refusal.ts';
import {
  type Actor,
  type Invitation,
  type InvitationAction,
  newInvitation,
  transition,
} from '../../../../worker/invitations/rules/invitation.ts';
import type { AccountId, InvitationId } from '../../../../worker/platform/types.ts';
import { draftOf } from '../invitation-fixture.ts';

const day = 24 * 60 * 60_000;
const week = 7 * day;
const draft = draftOf('a' as AccountId, { id: 'i' as InvitationId, duration: 'hour' });

/** An opened invitation, and later actions after a day, such as `decline invitee`. */
function ended(acts: string[], before: readonly InvitationAction[] = ['send', 'open']): Invitation {
  const all = [...before.map((what) => `${what} invitee`), ...acts];
  return all.reduce<Invitation>(
    (one, act) => {
      const [what, by] = act.split(' ') as [InvitationAction, Actor];
      return transition(one, what, by, day) ?? one;
    },
    newInvitation(draft, 1, 0),
  );
}

const refusals: [string, Invitation][] = [
  ['declined', ended(['decline invitee'])],
  ['blocked', ended(['block invitee'])],
  ['reported', ended(['block report'])],
  ['unanswered', ended(['expire clock'])],
  ['requester suspended', ended(['expire suspension'], [])],
  ['country switched off', ended(['expire country'], [])],
  ['stopped before the acceptance was seen', ended(['accept invitee', 'stop invitee'])],
];

describe('hidden refusal: every end without a seen acceptance looks the same', () => {
  test.each(refusals)('%s: the invitation looks open until the deadline', (_what, one) => {
    expect([hidesRefusal(one, week - 1), looksPending(one, week - 1)]).toEqual([true, true]);
    expect([hidesRefusal(one, week), looksPending(one, week)]).toEqual([false, false]);
    const answers = [guaranteeAnswer(one, week - 1), guaranteeAnswer(one, week)];
    expect(answers).toEqual(['open', 'refused']);
    expect(mayInviteAgainAt(one)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each(refusals)(
    '%s, then cancelled: the invitation is over at once, without a claim to the guarantee',
    (_what, one) => {
      const back = cancelUnseen(one, 'requester', 2 * day);
      const seen = [looksPending(back, 2 * day), guaranteeAnswer(back, week), back.name];
      expect(seen).toEqual([false, 'open', '']);
      const last = { at: 2 * day, state: one.state, by: 'requester', copyVersion: 1 };
      expect(back.evidence.at(-1)).toEqual(last);
    },
  );
});

/** What the requester can notice of an invitation. */
const noticed = (one: Invitation) => [
  looksPending(one, 2 * day),
  mayInviteAgainAt(one),
  guaranteeAnswer(one, week - 1),
  guaranteeAnswer(one, week),
];

const texted = refusals.filter(([, one]) => one.evidence.some(({ state }) => state === 'sent'));

test.each(texted)(
  'hidden refusal: %s, then the plan ended: looks as if nobody had answered',
  (_what, one) => {
    const unanswered = transition(ended([]), 'expire', 'plan', 2 * day);
    expect(noticed(cancelUnseen(one, 'plan', 2 * day))).toEqual(unanswered && noticed(unanswered));
    const end = [false, Number.POSITIVE_INFINITY, 'open', 'refused'];
    expect(unanswered && noticed(unanswered)).toEqual(end);
  },
);

test('hidden refusal: after the plan ended, whoever shared, or was never texted, may be invited at once', () => {
  const shared = ended(['accept invitee', 'stop plan']);
  for (const one of [shared, { ...shared, acceptanceSeen: true }])
    expect([looksPending(one, day), mayInviteAgainAt(one), one.name]).toEqual([false, 0, '']);
  expect(mayInviteAgainAt(ended(['expire plan'], []))).toBe(0);
});

test('hidden refusal: cancelling looks the same before and after a refusal', () => {
  const one = ended(['expire requester']);
  expect([looksPending(one, day), guaranteeAnswer(one, week)]).toEqual([false, 'open']);
  expect(mayInviteAgainAt(one)).toBe(Number.POSITIVE_INFINITY);
});

test('hidden refusal: an open invitation is pending and gives no claim', () => {
  const one = ended([]);
  const seen = [looksPending(one, day), hidesRefusal(one, day), guaranteeAnswer(one, day)];
  expect(seen).toEqual([true, false, 'open']);
});

test('hidden refusal: the end of an acceptance that was seen is shown, and the account waits a week', () => {
  const one = {
    ...ended(['accept invitee', 'stop invitee']),
    acceptanceSeen: true,
  };
  expect([looksPending(one, day), guaranteeAnswer(one, week)]).toEqual([false, 'agreed']);
  expect(mayInviteAgainAt(one)).toBe(day + week);
});

test('hidden refusal: after sharing ran out, or an unsent cancellation, the account may invite at once', () => {
  const ranOut = ended(['accept invitee', 'stop clock']);
  expect([looksPending(ranOut, day), mayInviteAgainAt(ranOut)]).toEqual([false, 0]);
  expect(mayInviteAgainAt(ended(['expire requester'], []))).toBe(0);
});
