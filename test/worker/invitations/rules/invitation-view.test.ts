import { expect, test } from 'vitest';
import {
  type Invitation,
  type InvitationAction,
  newInvitation,
  transition,
} from '../../../../worker/invitations/rules/invitation.ts';
import {
  inviteeView,
  requesterView,
} from '../../../../worker/invitations/rules/invitation-view.ts';
import type { AccountId, InvitationId } from '../../../../worker/platform/types.ts';
import { draftOf } from '../invitation-fixture.ts';

const draft = draftOf('a' as AccountId, { id: 'i' as InvitationId, duration: 'day' });
const place = { latitude: 1, longitude: 2, accuracy: 100, at: 60_000 };

/** An invitation after some actions, one ms apart. */
function after(acts: InvitationAction[], start = 0): Invitation {
  let invitation = newInvitation(draft, 1, 0);
  acts.forEach((what, index) => {
    const next = transition(invitation, what, 'invitee', start + index);
    if (next) invitation = next;
  });
  return invitation;
}

const refusals: InvitationAction[][] = [
  ['send', 'open', 'decline'],
  ['send', 'open', 'block'],
  ['send', 'open', 'expire'],
  ['send', 'block'],
  ['send', 'open', 'accept', 'stop'],
];

const week = 7 * 24 * 60 * 60_000;

test("requester's view: declined, blocked, expired and stopped are the same bytes", () => {
  const shown = (now: number) =>
    refusals.map((acts, index) =>
      JSON.stringify(requesterView(after(acts, index * 1000), place, now)),
    );
  for (const now of [4004, week - 1, week, 9 * week]) {
    const [one = '', ...others] = new Set(shown(now));
    expect(others).toEqual([]);
    expect(JSON.parse(one)).toEqual({
      id: 'i',
      state: now < week ? 'sent' : 'not_shared',
      requested_at: 0,
      duration: 'day',
      via: 'sms',
      number_end: '89',
      sends_at: null,
      delivery: null,
      answer_by: week,
      ended_by: null,
      until: null,
      position: null,
      refusal: null,
    });
  }
});

test("requester's view: before the deadline a refusal looks like no answer", () => {
  const [silent, no] = [after(['send', 'open']), after(['send', 'open', 'decline'])];
  expect(requesterView(no, place, week - 1)).toEqual(requesterView(silent, place, week - 1));
});

test("requester's view: the end of an acceptance that was seen is shown at once", () => {
  const stopped = { ...after(['send', 'open', 'accept', 'stop']), acceptanceSeen: true };
  expect(requesterView(stopped, place, 5)).toMatchObject({ state: 'not_shared', position: null });
});

test("requester's view: opening is not shown", () => {
  const [sent, opened] = [after(['send']), after(['send', 'open'], 5)];
  expect(requesterView(opened, place, 9)).toEqual(requesterView(sent, place, 9));
});

test("requester's view: an SMS that waits for the morning shows its time, also after a refusal", () => {
  const waits = { ...after([]), sendsAt: 500 };
  const gone = { ...after(['block']), sendsAt: 500 };
  const [now, later] = [requesterView(waits, null, 9), requesterView(waits, null, 500)];
  expect(now).toMatchObject({ state: 'sending', sends_at: 500 });
  expect(later).toMatchObject({ state: 'sending', sends_at: null });
  expect(requesterView(gone, null, 9)).toEqual(now);
  expect(requesterView(gone, null, 500)).toMatchObject({ state: 'sent', sends_at: null });
});

test("requester's view: while an SMS waits, opening and declining change no byte", () => {
  const shown = [[], ['send'], ['send', 'open'], ...refusals].map((acts) => {
    const one = { ...after(acts as InvitationAction[]), sendsAt: 500 };
    return [9, 499].map((now) => JSON.stringify(requesterView(one, null, now)));
  });
  expect(new Set(shown.map(String)).size).toBe(1);
  expect(JSON.parse(shown[0]?.[0] ?? '')).toMatchObject({ state: 'sending', sends_at: 500 });
});

const open = { country: 'DE', blocked: null } as const;

test('invitation views: after an acceptance both see the same position', () => {
  const yes = after(['send', 'open', 'accept'], 1000);
  const until = 1002 + 24 * 60 * 60_000;
  expect(requesterView(yes, place, 1003)).toMatchObject({
    state: 'accepted',
    until,
    position: place,
  });
  const seen = inviteeView(yes, place, open, 1003);
  expect(seen).toMatchObject({ state: 'shared', until, visible: true, shared: place, name: 'Ana' });
});

test.each(refusals)("invitee's view: after %j nothing is shared", (...acts) => {
  const over = after(acts as InvitationAction[]);
  const seen = inviteeView(over, place, { country: 'DE', blocked: 'requester' }, 5);
  const nothing = { state: 'over', name: '', until: null, shared: null };
  expect(seen).toMatchObject({ ...nothing, blocked: 'requester', hidden: true });
  expect(inviteeView(over, place, open, week).hidden).toBe(false);
});

test("invitee's view: the end of an acceptance that was seen is shown to later visitors", () => {
  const stopped = { ...after(['send', 'open', 'accept', 'stop']), acceptanceSeen: true };
  expect(inviteeView(stopped, place, open, 5).hidden).toBe(false);
});

test("invitee's view: before an answer it shows the requester and the deadline", () => {
  const seen = inviteeView(after(['send', 'open']), place, { country: null, blocked: null }, 5);
  expect(seen).toMatchObject({ state: 'pending', name: 'Ana', answer_by: week, shared: null });
});
