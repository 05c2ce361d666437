import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { memoryKv } from '../memory-kv.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { contact, draftOf, here, morning } from './invitation-fixture.ts';
import { commands, start } from './invitee-model.ts';

const day = 24 * 60 * 60_000;

test('invitee storage: in any order of actions a position is readable only while it is shared', () => {
  const runs = fc.commands(commands, { maxCommands: 40, size: 'max' });
  fc.assert(
    fc.property(runs, (run) => fc.modelRun(start, run)),
    { numRuns: scaled(2000) },
  );
});

function storedInvitation(more: Parameters<typeof draftOf>[1] = {}, now = morning) {
  const { kv, values: kept } = memoryKv();
  const invitee = new InviteeStorage(kv);
  const draft = draftOf('a' as AccountId, more);
  invitee.addInvitation(draft, { code: 'code', hash: 'hash', version: 1 }, contact, now);
  return { invitee, kept, id: draft.id };
}

/** An accepted invitation, which the requester has seen. */
function acceptedInvitation(more: Parameters<typeof draftOf>[1] = {}) {
  const all = storedInvitation({ via: 'link', ...more });
  all.invitee.apply(all.id, 'open', 'invitee', morning);
  const yes = all.invitee.accept(all.id, here, morning);
  if (yes) all.invitee.markAcceptanceSeen(yes, morning);
  return all;
}

test('invitee storage: many browsers do not push out the mailbox of who is refused', () => {
  const night = Date.parse('2026-11-20T02:00:00Z');
  const invitee = new InviteeStorage(memoryKv().kv);
  const code = { code: 'code', hash: 'hash', version: 1 };
  for (let count = 0; count < 50; count += 1) {
    const draft = draftOf('a' as AccountId);
    const identities = ['mailbox', `browser ${count}`];
    invitee.addInvitation(draft, { ...code, identities }, contact, night);
    // Unsent, so the account may ask again.
    invitee.cancel(draft.id, night);
  }
  invitee.block('a' as AccountId, 'invitee', night);
  const isRefused = (identity: string) =>
    invitee.isUnavailableTo('b' as AccountId, [identity], night);
  expect(['mailbox', 'browser 49', 'browser 0', 'another'].map(isRefused)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(invitee.identities.of('a' as AccountId)).toHaveLength(20);
});

test('invitee storage: an SMS waits for the morning; a link needs no SMS', () => {
  const night = Date.parse('2026-11-20T02:00:00Z');
  const { invitee, id } = storedInvitation({}, night);
  expect(invitee.outbox.all()).toMatchObject([
    { kind: 'invitation', state: 'waiting', code: 'code' },
  ]);
  expect(invitee.nextDueAt(night)).toBe(Date.parse('2026-11-20T08:00:00Z'));
  expect(invitee.byCode('hash', night)?.id).toBe(id);
  expect(storedInvitation({ via: 'link' }).invitee.outbox.all()).toEqual([]);
});

test('invitee storage: when an invitation ends, position, SMS, name and number are deleted, and the evidence stays', () => {
  const { invitee, kept, id } = acceptedInvitation();
  invitee.end(id, 'invitee', morning + 1);
  expect([...kept.keys()].sort()).toEqual(['code:hash', 'country', `invitation:${id}`, 'site']);
  expect(JSON.stringify([...kept])).not.toMatch(/Ana|\+49|52\.5/);
  expect(invitee.invitation(id, morning)?.evidence.map(({ state }) => state)).toEqual([
    'drafted',
    'sent',
    'opened',
    'accepted',
    'stopped',
  ]);
});

test('invitee storage: opting in counts once for each message, and blocked accounts stay blocked', () => {
  const { invitee } = storedInvitation();
  expect(invitee.blocks.optIn('m1')).toBe(false);
  invitee.block('a' as AccountId, 'invitee', morning);
  invitee.optOut(morning);
  expect([invitee.blocks.optIn('m1'), invitee.blocks.optIn('m2')]).toEqual([true, false]);
  expect([
    invitee.isUnavailableTo('a' as AccountId, [], morning),
    invitee.isUnavailableTo('b' as AccountId, [], morning),
  ]).toEqual([true, false]);
  invitee.optOut(morning);
  expect([invitee.blocks.optIn('m1'), invitee.blocks.optedOut]).toEqual([false, true]);
});

test('invitee storage: an SMS due at night is postponed, also in the view', () => {
  const { invitee, id } = storedInvitation();
  const [text] = invitee.outbox.all();
  const night = Date.parse('2026-11-20T19:00:00Z');
  const day = Date.parse('2026-11-21T08:00:00Z');
  if (!text) throw new Error('no SMS');
  expect(invitee.postponeToDaytime({ ...text, state: 'queued' }, morning)).toBe(false);
  expect(invitee.postponeToDaytime({ ...text, state: 'trying', triedAt: 1 }, night)).toBe(true);
  const waits = { id: text.id, state: 'waiting', triedAt: null, dueAt: day };
  expect(invitee.outbox.all()).toMatchObject([waits]);
  expect([invitee.invitation(id, night)?.sendsAt, invitee.nextDueAt(night)]).toEqual([day, day]);
});

test('invitee storage: after a refusal the requester sees the invitation as pending until its deadline, then no invitation', () => {
  const { invitee, id } = storedInvitation({ via: 'link' });
  invitee.block('a' as AccountId, 'invitee', morning);
  const seenAt = (now: number) => [
    invitee.pendingOf('a' as AccountId, now)?.id,
    invitee.isUnavailableTo('a' as AccountId, [], now),
  ];
  expect(seenAt(morning + 7 * day - 1)[0]).toBe(id);
  expect(seenAt(morning + 7 * day)).toEqual([undefined, true]);
  expect(invitee.isUnavailableTo('b' as AccountId, [], morning)).toBe(false);
});

test('invitee storage: a stopped acceptance may be asked for again after a week', () => {
  const { invitee, id } = acceptedInvitation({ duration: 'until_stopped' });
  invitee.end(id, 'invitee', morning);
  const unavailable = [7 * day - 1, 7 * day].map((ms) =>
    invitee.isUnavailableTo('a' as AccountId, [], morning + ms),
  );
  expect(unavailable).toEqual([true, false]);
});

test('invitee storage: sharing until stopped gets reminders with their own codes', () => {
  const { invitee, id } = acceptedInvitation({ duration: 'until_stopped' });
  const due = morning + day;
  expect(invitee.nextDueAt(morning)).toBe(due);
  invitee.addReminder(id, 'next', 'next hash', due);
  expect(invitee.outbox.all()).toMatchObject([{ kind: 'reminder', code: 'next', dueAt: due }]);
  expect(invitee.byCode('next hash', due)?.id).toBe(id);
  expect(invitee.invitation(id, due)?.remindAt).toBe(due + 7 * day);
});

test('invitee storage: of a deleted requester only a bare id stays', () => {
  const { invitee, kept, id } = acceptedInvitation();
  invitee.forgetRequester('b' as AccountId, morning);
  expect(invitee.position(id, morning)).not.toBeNull();
  invitee.forgetRequester('a' as AccountId, morning);
  expect(invitee.position(id, morning)).toBeNull();
  expect(invitee.invitation(id, morning)).toMatchObject({ name: '', numberEnd: '', account: 'a' });
  expect(JSON.stringify([...kept])).not.toContain(contact.e164);
});

test.each([
  ['sms', 'hour', 1],
  ['sms', 'until_stopped', 1],
  ['link', 'until_stopped', 1],
  // Whoever accepted by a link for a short time never agreed to an SMS.
  ['link', 'day', 0],
] as const)(
  'invitee storage: when the plan ends, sharing asked for by %s for %s ends, with %i SMS',
  (via, duration, count) => {
    const { invitee, id } = acceptedInvitation({ via, duration });
    if (via === 'sms') {
      for (const what of ['send', 'open'] as const) invitee.apply(id, what, 'invitee', morning);
      invitee.accept(id, here, morning);
      invitee.outbox.deleteFor(id);
    }
    for (const until of [morning - 1, morning, morning])
      invitee.endWithPlan('a' as AccountId, until, morning + 1);
    expect(invitee.invitation(id, morning + 1)).toMatchObject({ state: 'stopped', name: '' });
    expect(invitee.outbox.all().map(({ kind, to }) => [kind, to?.name, to?.e164])).toEqual(
      Array.from({ length: count }, () => ['ended', 'Ana', contact.e164]),
    );
    // Neither a second end nor the account's deletion tells again, or takes the SMS back.
    invitee.forgetRequester('a' as AccountId, morning + 2);
    expect(invitee.outbox.all()).toHaveLength(count);
  },
);

test.each([[[]], [['send']], [['send', 'open']]] as const)(
  'invitee storage: when the plan ends after %j, the question ends without an SMS',
  (acts) => {
    const { invitee, id, kept } = storedInvitation();
    for (const act of acts) invitee.apply(id, act, 'invitee', morning);
    invitee.endWithPlan('b' as AccountId, morning, morning);
    expect(invitee.invitation(id, morning)?.name).toBe('Ana');
    invitee.endWithPlan('a' as AccountId, morning, morning);
    expect(invitee.invitation(id, morning)).toMatchObject({ state: 'expired', name: '' });
    expect([invitee.outbox.all(), kept.has('contact')]).toEqual([[], false]);
  },
);

test('invitee storage: after a refusal the name is deleted at the deadline', () => {
  const { invitee, kept, id } = storedInvitation({ via: 'link' });
  invitee.apply(id, 'open', 'invitee', morning);
  invitee.apply(id, 'decline', 'invitee', morning);
  expect(JSON.stringify([...kept])).not.toContain('+49');
  const due = invitee.nextDueAt(morning) ?? 0;
  expect(due).toBe(morning + 7 * day);
  invitee.deleteExpiredEvidence(due);
  expect(JSON.stringify([...kept])).not.toContain('Ana');
});

test('invitee storage: the names in links go with the name of the invitation', () => {
  const { invitee, kept, id } = storedInvitation({ via: 'link' });
  invitee.codes.add('second', id, { name: 'Mia', duration: 'hour' });
  expect(invitee.byCode('second', morning)).toMatchObject({ name: 'Mia', duration: 'hour' });
  invitee.apply(id, 'open', 'invitee', morning);
  invitee.accept(id, here, morning, { name: 'Mia', duration: 'hour' });
  expect(invitee.byCode('second', morning)).toMatchObject({ name: 'Mia', duration: 'hour' });
  invitee.cancel(id, morning);
  expect(JSON.stringify([...kept])).not.toMatch(/Ana|Mia/);
  expect(invitee.byCode('second', morning)).toMatchObject({ id, name: '' });
});

test('invitee storage: evidence and codes are deleted after three years', () => {
  const { invitee, kept, id } = acceptedInvitation();
  invitee.end(id, 'invitee', morning);
  const due = invitee.nextDueAt(morning) ?? 0;
  expect(due).toBe(morning + 3 * 365 * day);
  invitee.deleteExpiredEvidence(due - 1);
  expect(kept.has(`invitation:${id}`)).toBe(true);
  invitee.deleteExpiredEvidence(due);
  expect([...kept.keys()]).toEqual(['country', 'site']);
  expect(invitee.nextDueAt(due)).toBeNull();
});
