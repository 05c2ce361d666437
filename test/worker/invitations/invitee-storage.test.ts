import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import { memoryKv } from '../memory-kv.ts';
import { scaled } from '../payments/purchases/fake-gateway.ts';
import { contact, here, morning, question } from './invitation-fixture.ts';
import { commands, start } from './invitee-model.ts';

const day = 24 * 60 * 60_000;

test('whatever happens in any order, a place is readable while it is shared and at no other time', () => {
  const runs = fc.commands(commands, { maxCommands: 40, size: 'max' });
  fc.assert(
    fc.property(runs, (run) => fc.modelRun(start, run)),
    { numRuns: scaled(2000) },
  );
});

/** A person whom an account asked. */
function asked(more: Parameters<typeof question>[1] = {}, now = morning) {
  const { kv, kept } = memoryKv();
  const person = new InviteeStorage(kv);
  const draft = question('a', more);
  person.ask(draft, { code: 'code', hash: 'hash', version: 1 }, contact, now);
  return { person, kept, id: draft.id };
}

/** A person who said yes, which who asked was shown. */
function shared(more: Parameters<typeof question>[1] = {}) {
  const all = asked({ via: 'link', ...more });
  all.person.act(all.id, 'open', 'person', morning);
  const yes = all.person.accept(all.id, here, morning);
  if (yes) all.person.markSeen(yes, morning);
  return all;
}

test('a text waits for the morning of who gets it; a link is the requester’s to hand on', () => {
  const night = Date.parse('2026-11-20T02:00:00Z');
  const { person, id } = asked({}, night);
  expect(person.texts.all()).toMatchObject([
    { kind: 'invitation', state: 'waiting', code: 'code' },
  ]);
  expect(person.dueAt(night)).toBe(Date.parse('2026-11-20T08:00:00Z'));
  expect(person.byCode('hash', night)?.id).toBe(id);
  expect(asked({ via: 'link' }).person.texts.all()).toEqual([]);
});

test('with the end go the place, the texts, the name and the number; the evidence stays', () => {
  const { person, kept, id } = shared();
  person.end(id, 'person', morning + 1);
  expect([...kept.keys()].sort()).toEqual(['code:hash', 'country', `invitation:${id}`]);
  expect(JSON.stringify([...kept])).not.toMatch(/Ana|\+49|52\.5/);
  expect(person.invitation(id, morning)?.evidence.map(({ state }) => state)).toEqual([
    'drafted',
    'sent',
    'opened',
    'accepted',
    'stopped',
  ]);
});

test('START takes a STOP back, each message once, and lets nobody in who is blocked', () => {
  const { person } = asked();
  expect(person.start('m1')).toBe(false);
  person.block('a', 'person', morning);
  person.stopAll(morning);
  expect([person.start('m1'), person.start('m2')]).toEqual([true, false]);
  expect([person.isResting('a', morning), person.isResting('b', morning)]).toEqual([true, false]);
  person.stopAll(morning);
  expect([person.start('m1'), person.stopped]).toEqual([false, true]);
});

test('a text that comes to the night waits for the day, and says so to who asked', () => {
  const { person, id } = asked();
  const [text] = person.texts.all();
  const night = Date.parse('2026-11-20T19:00:00Z');
  const day = Date.parse('2026-11-21T08:00:00Z');
  if (!text) throw new Error('no text');
  expect(person.waitsForDay({ ...text, state: 'queued' }, morning)).toBe(false);
  expect(person.waitsForDay({ ...text, state: 'trying', triedAt: 1 }, night)).toBe(true);
  const waits = { id: text.id, state: 'waiting', triedAt: null, dueAt: day };
  expect(person.texts.all()).toMatchObject([waits]);
  expect([person.invitation(id, night)?.sendsAt, person.dueAt(night)]).toEqual([day, day]);
});

test('who asked has no plan any more: all that they asked is taken back, and no more', () => {
  const { person, id } = shared();
  const other = question('b', { via: 'link' });
  person.ask(other, { code: 'd', hash: 'i', version: 1 }, contact, morning);
  person.takeBackAll('a', morning);
  const states = [id, other.id].map((one) => person.invitation(one, morning)?.state);
  expect(states).toEqual(['stopped', 'sent']);
});

test('STOP ends everything once, and for everybody', () => {
  const { person, id } = shared();
  expect([person.stopAll(morning), person.stopAll(morning)]).toEqual([true, false]);
  expect(person.invitation(id, morning)?.state).toBe('stopped');
  expect(person.isResting('never asked', morning + 999 * day)).toBe(true);
});

describe('asking again', () => {
  const ends: [string, (person: InviteeStorage, id: string) => unknown][] = [
    ['declined', (person, id) => person.act(id, 'decline', 'person', morning)],
    ['blocked', (person) => person.block('a', 'person', morning)],
    ['unanswered', () => {}],
    ['refused by the vendor', (person, id) => person.end(id, 'vendor', morning)],
  ];
  test.each(ends)('after it was %s has one and the same answer at any time', (_what, end) => {
    const { person, id } = asked({ via: 'link' });
    person.act(id, 'open', 'person', morning);
    end(person, id);
    for (const now of [morning, morning + 7 * day - 1]) {
      expect(person.pendingOf('a', now)?.id).toBe(id);
    }
    for (const now of [morning + 7 * day, morning + 900 * day]) {
      expect([person.pendingOf('a', now), person.isResting('a', now)]).toEqual([undefined, true]);
    }
    expect(person.isResting('b', morning)).toBe(false);
  });

  test('after a yes was stopped waits for a week from its end', () => {
    const { person, id } = shared({ duration: 'until_stopped' });
    const end = morning + 20 * day;
    person.end(id, 'person', end);
    expect([0, 7 * day - 1, 7 * day].map((ms) => person.isResting('a', end + ms))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('is free when its time ran out, or when it was taken back unsent', () => {
    expect(shared({ duration: 'hour' }).person.isResting('a', morning + day / 24)).toBe(false);
    const { person, id } = asked();
    person.end(id, 'requester', morning);
    expect(person.isResting('a', morning)).toBe(false);
  });

  test('never comes to an end for who was blocked', () => {
    const { person, id } = asked();
    person.block('a', 'person', morning);
    expect(person.invitation(id, morning)?.state).toBe('blocked');
    expect(person.isResting('a', morning + 999 * day)).toBe(true);
    expect(person.isResting('b', morning)).toBe(false);
  });
});

test('who shares without an end gets reminders with codes of their own', () => {
  const { person, id } = shared({ duration: 'until_stopped' });
  const due = morning + day;
  expect(person.dueAt(morning)).toBe(due);
  person.remind(id, 'next', 'next hash', due);
  expect(person.texts.all()).toMatchObject([{ kind: 'reminder', code: 'next', dueAt: due }]);
  expect(person.byCode('next hash', due)?.id).toBe(id);
  expect(person.invitation(id, due)?.remindAt).toBe(due + 7 * day);
});

test('who asked and left is forgotten but for a bare id', () => {
  const { person, kept, id } = shared();
  person.forget('b', morning);
  expect(person.position(id, morning)).not.toBeNull();
  person.forget('a', morning);
  expect(person.position(id, morning)).toBeNull();
  expect(person.invitation(id, morning)).toMatchObject({ name: '', numberEnd: '', account: 'a' });
  expect(JSON.stringify([...kept])).not.toContain(contact.e164);
});

test('after a no the name goes by itself, when its hiding ends', () => {
  const { person, kept, id } = asked({ via: 'link' });
  person.act(id, 'open', 'person', morning);
  person.act(id, 'decline', 'person', morning);
  expect(JSON.stringify([...kept])).not.toContain('+49');
  const due = person.dueAt(morning) ?? 0;
  expect(due).toBe(morning + 7 * day);
  person.sweep(due);
  expect(JSON.stringify([...kept])).not.toContain('Ana');
});

test('evidence is deleted after three years, with the codes', () => {
  const { person, kept, id } = shared();
  person.end(id, 'person', morning);
  const due = person.dueAt(morning) ?? 0;
  expect(due).toBe(morning + 3 * 365 * day);
  person.sweep(due - 1);
  expect(kept.has(`invitation:${id}`)).toBe(true);
  person.sweep(due);
  expect([...kept.keys()]).toEqual(['country']);
  expect(person.dueAt(due)).toBeNull();
});
