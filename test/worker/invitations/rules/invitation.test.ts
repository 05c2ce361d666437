import { expect, test } from 'vitest';
import {
  asOf,
  endsAt,
  type Invitation,
  type InvitationAction,
  type InvitationState,
  isOver,
  newInvitation,
  transition,
  withNextReminder,
  wordsOf,
} from '../../../../worker/invitations/rules/invitation.ts';
import type { AccountId, InvitationId } from '../../../../worker/platform/types.ts';
import { draftOf } from '../invitation-fixture.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

const draft = draftOf('a' as AccountId, { id: 'i' as InvitationId, duration: 'hour' });
const through = (...acts: InvitationAction[]) =>
  acts.reduce<Invitation | null>(
    (before, what) => before && transition(before, what, 'invitee', 10),
    newInvitation(draft, 1, 0),
  );

test.each<[InvitationState, InvitationAction[]]>([
  ['drafted', []],
  ['sent', ['send']],
  ['opened', ['send', 'open']],
  ['accepted', ['send', 'open', 'accept']],
  ['declined', ['send', 'open', 'decline']],
  ['blocked', ['send', 'open', 'block']],
  ['blocked', ['block']],
  ['expired', ['send', 'open', 'expire']],
  ['expired', ['expire']],
  ['stopped', ['send', 'open', 'accept', 'stop']],
])('invitation: the state is %s after %j', (state, acts) =>
  expect(through(...acts)?.state).toBe(state),
);

test.each<InvitationAction[][]>([
  [['accept']],
  [['send', 'accept']],
  [['open']],
  [['send', 'open', 'decline', 'accept']],
  [['send', 'open', 'stop']],
  [['send', 'open', 'accept', 'accept']],
  [['send', 'open', 'accept', 'stop', 'accept']],
  [['block', 'send']],
])('invitation: the sequence %j is not allowed', (acts) => expect(through(...acts)).toBeNull());

test('invitation: each change is recorded with its time, actor and copy version', () => {
  expect(transition(newInvitation(draft, 7, 1), 'send', 'vendor', 2)?.evidence).toEqual([
    { at: 1, state: 'drafted', by: 'requester', copyVersion: 7 },
    { at: 2, state: 'sent', by: 'vendor', copyVersion: 7 },
  ]);
});

test('invitation: the name is deleted with a visible end, or at the deadline of a hidden one', () => {
  expect(through('send', 'open', 'accept')?.name).toBe('Ana');
  for (const no of [through('send', 'open', 'decline'), through('send', 'open', 'accept', 'stop')])
    expect(no && [asOf(no, 7 * day - 1).name, asOf(no, 7 * day).name]).toEqual(['Ana', '']);
  const yes = through('send', 'open', 'accept');
  const nameAfterStop = (at: number) => yes && transition(yes, 'stop', 'invitee', at)?.name;
  expect([nameAfterStop(7 * day - 1), nameAfterStop(7 * day)]).toEqual(['Ana', '']);
  expect(yes && transition({ ...yes, acceptanceSeen: true }, 'stop', 'invitee', 10)?.name).toBe('');
  expect(yes && asOf(yes, 2 * day).name).toBe('');
  expect(transition(newInvitation(draft, 1, 0), 'expire', 'requester', 10)?.name).toBe('');
});

test.each([
  ['hour', hour],
  ['day', day],
  ['until_stopped', 30 * day],
] as const)(
  'invitation: an acceptance for %s ends after %d ms, whatever the daylight saving time',
  (duration, lasts) => {
    const yes = {
      ...newInvitation({ ...draft, duration }, 1, 0),
      state: 'accepted',
      acceptedAt: 5,
    } as const;
    expect(endsAt(yes)).toBe(5 + lasts);
    expect(asOf(yes, 4 + lasts)).toBe(yes);
    const over = asOf(yes, 99 * day);
    expect([over.state, over.evidence.at(-1)]).toEqual([
      'stopped',
      { at: 5 + lasts, state: 'stopped', by: 'clock', copyVersion: 1 },
    ]);
  },
);

test('invitation: expires after a week without an answer, and never changes after its end', () => {
  const sent = through('send');
  expect(sent && asOf(sent, 7 * day - 1).state).toBe('sent');
  expect(sent && asOf(sent, 7 * day).state).toBe('expired');
  const no = through('send', 'open', 'decline');
  expect(no && asOf(no, 7 * day - 1)).toBe(no);
  expect(no && asOf(no, 99 * day).state).toBe('declined');
  expect(no && isOver(no)).toBe(true);
});

test('invitation: sharing until stopped gets a reminder after a day, then weekly', () => {
  const open = {
    ...newInvitation({ ...draft, duration: 'until_stopped' }, 1, 0),
    state: 'opened',
  } as const;
  const yes = transition(open, 'accept', 'invitee', 100);
  expect(yes?.remindAt).toBe(100 + day);
  const once = yes && withNextReminder(yes, 100 + day);
  expect(once?.remindAt).toBe(100 + 8 * day);
  expect(once && withNextReminder(once, 100 + 16 * day).remindAt).toBe(100 + 22 * day);
  expect(through('send', 'open', 'accept')?.remindAt).toBeNull();
});

test('invitation: the page of a link says what its message said, until it is accepted or its name is deleted', () => {
  const asked = { name: 'Eva', duration: 'day' } as const;
  const said = (invitation: Invitation | null) => invitation && wordsOf(invitation, asked);
  expect(said(through('send', 'open'))).toEqual(asked);
  expect(said(through('send', 'open', 'accept'))).toEqual({ name: 'Ana', duration: 'hour' });
  const over = transition(newInvitation(draft, 1, 0), 'expire', 'requester', 10);
  expect(said(over)).toEqual({ name: '', duration: 'hour' });
});
