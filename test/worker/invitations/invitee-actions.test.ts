import { describe, expect, test, vi } from 'vitest';
import {
  accept,
  block,
  decline,
  open,
  optOut,
  stopSharing,
} from '../../../worker/invitations/invitee-actions.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { AccountId, InvitationId } from '../../../worker/platform/types.ts';
import { memoryKv } from '../memory-kv.ts';
import { contact, draftOf, here } from './invitation-fixture.ts';

function storedInvitation(via: 'sms' | 'link' = 'link') {
  const invitee = new InviteeStorage(memoryKv().kv);
  invitee.addInvitation(
    draftOf('a' as AccountId, { via }),
    { code: 'c', hash: 'h', version: 1 },
    contact,
    Date.now(),
  );
  return invitee;
}

const ended = { kind: 'refused', refusal: 'invitation_ended' };

test('invitee actions: an unknown code opens nothing', () => {
  const invitee = storedInvitation();
  const unknown = { kind: 'refused', refusal: 'invitation_unknown' };
  expect(open(invitee, 'x')).toEqual(unknown);
  expect(accept(invitee, 'x', here)).toEqual(unknown);
  expect(block(invitee, 'x', false)).toEqual(unknown);
  expect(optOut(invitee, 'x')).toEqual(unknown);
});

test('invitee actions: opening the page proves that the SMS arrived', () => {
  const invitee = storedInvitation('sms');
  expect(open(invitee, 'h')).toMatchObject({ view: { state: 'pending', country: 'DE' } });
  const [invitation] = invitee.invitations(Date.now());
  expect(invitation?.evidence.map(({ state, by }) => [state, by])).toEqual([
    ['drafted', 'requester'],
    ['sent', 'invitee'],
    ['opened', 'invitee'],
  ]);
  open(invitee, 'h');
  expect(invitee.invitations(Date.now())[0]?.evidence).toHaveLength(3);
});

describe('invitee actions: a repeated answer is idempotent', () => {
  test('accept', () => {
    const invitee = storedInvitation('sms');
    open(invitee, 'h');
    const first = accept(invitee, 'h', here);
    expect(accept(invitee, 'h', { ...here, latitude: 0 })).toEqual(first);
  });

  test('decline', () => {
    const invitee = storedInvitation();
    open(invitee, 'h');
    expect(decline(invitee, 'h')).toEqual(decline(invitee, 'h'));
  });
});

/** Whoever has a link that was not texted, the requester too, could open it in another browser and stay unseen. */
test.each([
  ['sms', true],
  ['link', false],
] as const)(
  'invitee actions: by %s, later visitors of the link read the place: %s',
  (via, isShown) => {
    const invitee = storedInvitation(via);
    open(invitee, 'h');
    const place = { latitude: 52.52, longitude: 13.405 };
    expect(accept(invitee, 'h', here)).toMatchObject({ view: { visible: true, shared: place } });
    for (const seen of [open(invitee, 'h'), accept(invitee, 'h', { ...here, latitude: 0 })])
      expect(seen).toMatchObject({
        view: { state: 'shared', visible: true, shared: isShown ? place : null },
      });
    expect(invitee.invitations(Date.now())[0]?.acceptanceSeen).toBe(false);
  },
);

test('invitee actions: an invitation cannot be accepted before it is opened or after a refusal', () => {
  const invitee = storedInvitation();
  expect(accept(invitee, 'h', here)).toEqual(ended);
  expect(stopSharing(invitee, 'h')).toEqual(ended);
  decline(invitee, 'h');
  expect(accept(invitee, 'h', here)).toEqual(ended);
});

test('invitee actions: a refusal in a second tab ends the sharing that the first tab allowed', () => {
  const invitee = storedInvitation();
  open(invitee, 'h');
  accept(invitee, 'h', here);
  expect(decline(invitee, 'h')).toMatchObject({ view: { state: 'over', shared: null } });
  expect(decline(invitee, 'h')).toMatchObject({ view: { state: 'over' } });
  const [invitation] = invitee.invitations(Date.now());
  expect(invitation).toMatchObject({ state: 'stopped' });
  expect(invitee.position(invitation?.id as InvitationId, Date.now())).toBeNull();
});

const week = 7 * 24 * 60 * 60_000;

function acceptAndStop(invitee: InviteeStorage): void {
  accept(invitee, 'h', here);
  expect(stopSharing(invitee, 'h')).toMatchObject({
    view: { state: 'over', name: '', hidden: true },
  });
}

describe('invitee actions: a refusal shows in its answer, and not to later visitors of the link', () => {
  test.each<[string, (invitee: InviteeStorage) => unknown]>([
    ['declined', (invitee) => decline(invitee, 'h')],
    ['blocked', (invitee) => block(invitee, 'h', false)],
    ['reported', (invitee) => block(invitee, 'h', true)],
    ['opted out by code', (invitee) => optOut(invitee, 'h')],
    ['opted out by SMS', (invitee) => invitee.optOut(Date.now())],
    ['stopped after an unseen acceptance', (invitee) => acceptAndStop(invitee)],
  ])('%s', (_what, respond) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
    const invitee = storedInvitation();
    const before = open(invitee, 'h');
    vi.setSystemTime(5000);
    respond(invitee);
    expect(open(invitee, 'h')).toEqual(before);
    expect(stopSharing(invitee, 'h')).toEqual(ended);
    expect(decline(invitee, 'h')).toMatchObject({
      view: { state: 'over', name: '', hidden: true, answer_by: 1000 + week },
    });
    vi.setSystemTime(1000 + week);
    expect(open(invitee, 'h')).toMatchObject({ view: { state: 'over', hidden: false } });
    expect(invitee.invitations(Date.now())[0]?.name).toBe('');
  });

  test('a cancelled invitation is shown as over', () => {
    const invitee = storedInvitation();
    decline(invitee, 'h');
    invitee.cancel((invitee.invitations(Date.now())[0]?.id ?? '') as InvitationId, Date.now());
    expect(open(invitee, 'h')).toMatchObject({ view: { state: 'over', name: '' } });
  });
});

test('invitee actions: blocking also stops sharing, and can be repeated', () => {
  const invitee = storedInvitation();
  open(invitee, 'h');
  accept(invitee, 'h', here);
  const reported = block(invitee, 'h', true);
  expect(reported).toMatchObject({ view: { state: 'over', blocked: 'requester' } });
  const [invitation] = invitee.invitations(Date.now());
  expect(invitation?.evidence.at(-1)).toMatchObject({ state: 'stopped', by: 'report' });
  expect(block(invitee, 'h', false)).toMatchObject({ view: { blocked: 'requester' } });
});

test('invitee actions: stopping an acceptance that was seen is shown, and can be repeated', () => {
  const invitee = storedInvitation();
  open(invitee, 'h');
  accept(invitee, 'h', here);
  const [yes] = invitee.invitations(Date.now());
  if (yes) invitee.markAcceptanceSeen(yes, Date.now());
  const first = stopSharing(invitee, 'h');
  expect(first).toMatchObject({ view: { state: 'over', name: '', hidden: false } });
  expect([stopSharing(invitee, 'h'), open(invitee, 'h')]).toEqual([first, first]);
});

test('invitee actions: declining gets the same answer whether or not the invitation was opened', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  const [opened, before, blocked] = [
    storedInvitation(),
    storedInvitation('sms'),
    storedInvitation('sms'),
  ];
  open(opened, 'h');
  blocked.optOut(Date.now());
  const [no, ...others] = [opened, before, blocked].map((invitee) => decline(invitee, 'h'));
  expect(no).toMatchObject({ view: { state: 'over' } });
  expect(others).toEqual([no, no]);
});

test('invitee actions: opting out ends every invitation', () => {
  const invitee = storedInvitation();
  const other = draftOf('b' as AccountId, { via: 'link' });
  invitee.addInvitation(other, { code: 'd', hash: 'i', version: 1 }, contact, Date.now());
  expect(optOut(invitee, 'h')).toMatchObject({ view: { state: 'over', blocked: 'everyone' } });
  expect([invitee.blocks.optedOut, invitee.invitation(other.id, Date.now())?.state]).toEqual([
    true,
    'blocked',
  ]);
});

test("invitee actions: a block by an old link ends the same account's new invitation", () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  const invitee = storedInvitation();
  open(invitee, 'h');
  accept(invitee, 'h', here);
  vi.setSystemTime(1000 + week);
  const next = draftOf('a' as AccountId, { via: 'link' });
  invitee.addInvitation(next, { code: 'd', hash: 'i', version: 1 }, contact, Date.now());
  block(invitee, 'h', false);
  expect(invitee.invitation(next.id, Date.now())?.state).toBe('blocked');
});
