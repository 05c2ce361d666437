import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { AccountId, InvitationId } from '../../../worker/types.ts';
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

function asked(more: Parameters<typeof draftOf>[1] = {}, now = morning) {
  const { kv, kept } = memoryKv();
  const invitee = new InviteeStorage(kv);
  const draft = draftOf('a' as AccountId, more);
  invitee.addInvitation(draft, { code: 'code', hash: 'hash', version: 1 }, contact, now);
  return { invitee, kept, id: draft.id };
}

/** An accepted invitation that the requester has seen. */
function shared(more: Parameters<typeof draftOf>[1] = {}) {
  const all = asked({ via: 'link', ...more });
  all.invitee.apply(all.id, 'open', 'invitee', morning);
  const yes = all.invitee.accept(all.id, here, morning);
  if (yes) all.invitee.markAcceptanceSeen(yes, morning);
  return all;
}

test('invitee storage: an SMS waits for the morning; a link needs no SMS', () => {
  const night = Date.parse('2026-11-20T02:00:00Z');
  const { invitee, id } = asked({}, night);
  expect(invitee.outbox.all()).toMatchObject([
    { kind: 'invitation', state: 'waiting', code: 'code' },
  ]);
  expect(invitee.nextDueAt(night)).toBe(Date.parse('2026-11-20T08:00:00Z'));
  expect(invitee.byCode('hash', night)?.id).toBe(id);
  expect(asked({ via: 'link' }).invitee.outbox.all()).toEqual([]);
});

test('invitee storage: the end deletes position, SMS, name and number, and keeps the evidence', () => {
  const { invitee, kept, id } = shared();
  invitee.end(id, 'invitee', morning + 1);
  expect([...kept.keys()].sort()).toEqual(['code:hash', 'country', `invitation:${id}`]);
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
  const { invitee } = asked();
  expect(invitee.optIn('m1')).toBe(false);
  invitee.block('a' as AccountId, 'invitee', morning);
  invitee.optOut(morning);
  expect([invitee.optIn('m1'), invitee.optIn('m2')]).toEqual([true, false]);
  expect([
    invitee.isUnavailableTo('a' as AccountId, morning),
    invitee.isUnavailableTo('b' as AccountId, morning),
  ]).toEqual([true, false]);
  invitee.optOut(morning);
  expect([invitee.optIn('m1'), invitee.optedOut]).toEqual([false, true]);
});

test('invitee storage: an SMS due at night is postponed, also in the view', () => {
  const { invitee, id } = asked();
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

test("invitee storage: cancelAll ends one account's invitations only", () => {
  const { invitee, id } = shared();
  const other = draftOf('b' as AccountId, { via: 'link' });
  invitee.addInvitation(other, { code: 'd', hash: 'i', version: 1 }, contact, morning);
  invitee.cancelAll('a' as AccountId, morning);
  const states = [id, other.id].map((one) => invitee.invitation(one, morning)?.state);
  expect(states).toEqual(['stopped', 'sent']);
});

test('invitee storage: opting out ends everything once', () => {
  const { invitee, id } = shared();
  expect([invitee.optOut(morning), invitee.optOut(morning)]).toEqual([true, false]);
  expect(invitee.invitation(id, morning)?.state).toBe('stopped');
  expect(invitee.isUnavailableTo('never asked' as AccountId, morning + 999 * day)).toBe(true);
});

describe('invitee storage: inviting again', () => {
  const ends: [string, (invitee: InviteeStorage, id: string) => unknown][] = [
    ['declined', (invitee, id) => invitee.apply(id as InvitationId, 'decline', 'invitee', morning)],
    ['blocked', (invitee) => invitee.block('a' as AccountId, 'invitee', morning)],
    ['unanswered', () => {}],
    ['refused by the vendor', (invitee, id) => invitee.end(id as InvitationId, 'vendor', morning)],
  ];
  test.each(ends)('after it was %s the answer is always the same', (_what, end) => {
    const { invitee, id } = asked({ via: 'link' });
    invitee.apply(id, 'open', 'invitee', morning);
    end(invitee, id);
    for (const now of [morning, morning + 7 * day - 1]) {
      expect(invitee.pendingOf('a' as AccountId, now)?.id).toBe(id);
    }
    for (const now of [morning + 7 * day, morning + 900 * day]) {
      expect([
        invitee.pendingOf('a' as AccountId, now),
        invitee.isUnavailableTo('a' as AccountId, now),
      ]).toEqual([undefined, true]);
    }
    expect(invitee.isUnavailableTo('b' as AccountId, morning)).toBe(false);
  });

  test('after a stopped acceptance it is possible a week later', () => {
    const { invitee, id } = shared({ duration: 'until_stopped' });
    const end = morning + 20 * day;
    invitee.end(id, 'invitee', end);
    expect(
      [0, 7 * day - 1, 7 * day].map((ms) => invitee.isUnavailableTo('a' as AccountId, end + ms)),
    ).toEqual([true, true, false]);
  });

  test('after sharing ran out, or an unsent cancellation, it is possible at once', () => {
    expect(
      shared({ duration: 'hour' }).invitee.isUnavailableTo('a' as AccountId, morning + day / 24),
    ).toBe(false);
    const { invitee, id } = asked();
    invitee.end(id, 'requester', morning);
    expect(invitee.isUnavailableTo('a' as AccountId, morning)).toBe(false);
  });

  test('after a block it is never possible', () => {
    const { invitee, id } = asked();
    invitee.block('a' as AccountId, 'invitee', morning);
    expect(invitee.invitation(id, morning)?.state).toBe('blocked');
    expect(invitee.isUnavailableTo('a' as AccountId, morning + 999 * day)).toBe(true);
    expect(invitee.isUnavailableTo('b' as AccountId, morning)).toBe(false);
  });
});

test('invitee storage: sharing until stopped gets reminders with their own codes', () => {
  const { invitee, id } = shared({ duration: 'until_stopped' });
  const due = morning + day;
  expect(invitee.nextDueAt(morning)).toBe(due);
  invitee.addReminder(id, 'next', 'next hash', due);
  expect(invitee.outbox.all()).toMatchObject([{ kind: 'reminder', code: 'next', dueAt: due }]);
  expect(invitee.byCode('next hash', due)?.id).toBe(id);
  expect(invitee.invitation(id, due)?.remindAt).toBe(due + 7 * day);
});

test('invitee storage: a deleted requester leaves only a bare id', () => {
  const { invitee, kept, id } = shared();
  invitee.forgetRequester('b' as AccountId, morning);
  expect(invitee.position(id, morning)).not.toBeNull();
  invitee.forgetRequester('a' as AccountId, morning);
  expect(invitee.position(id, morning)).toBeNull();
  expect(invitee.invitation(id, morning)).toMatchObject({ name: '', numberEnd: '', account: 'a' });
  expect(JSON.stringify([...kept])).not.toContain(contact.e164);
});

test('invitee storage: after a refusal the name is deleted at the deadline', () => {
  const { invitee, kept, id } = asked({ via: 'link' });
  invitee.apply(id, 'open', 'invitee', morning);
  invitee.apply(id, 'decline', 'invitee', morning);
  expect(JSON.stringify([...kept])).not.toContain('+49');
  const due = invitee.nextDueAt(morning) ?? 0;
  expect(due).toBe(morning + 7 * day);
  invitee.deleteExpiredEvidence(due);
  expect(JSON.stringify([...kept])).not.toContain('Ana');
});

test('invitee storage: evidence and codes are deleted after three years', () => {
  const { invitee, kept, id } = shared();
  invitee.end(id, 'invitee', morning);
  const due = invitee.nextDueAt(morning) ?? 0;
  expect(due).toBe(morning + 3 * 365 * day);
  invitee.deleteExpiredEvidence(due - 1);
  expect(kept.has(`invitation:${id}`)).toBe(true);
  invitee.deleteExpiredEvidence(due);
  expect([...kept.keys()]).toEqual(['country']);
  expect(invitee.nextDueAt(due)).toBeNull();
});
