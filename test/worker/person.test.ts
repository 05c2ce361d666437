import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Person } from '../../worker/person.ts';
import { contact, here, morning, question } from './asked.ts';
import { memoryKv } from './memory-kv.ts';
import { commands, start } from './person.model.ts';
import { scaled } from './purchases/bank.ts';

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
  const person = new Person(kv);
  const draft = question('a', more);
  person.ask(draft, { code: 'code', hash: 'hash', version: 1 }, contact, now);
  return { person, kept, id: draft.id };
}

function shared(more: Parameters<typeof question>[1] = {}) {
  const all = asked({ via: 'link', ...more });
  all.person.act(all.id, 'open', 'person', morning);
  all.person.accept(all.id, here, morning);
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

test('STOP ends everything once, and for everybody', () => {
  const { person, id } = shared();
  expect([person.stopAll(morning), person.stopAll(morning)]).toEqual([true, false]);
  expect(person.invitation(id, morning)?.state).toBe('stopped');
  expect(person.isResting('never asked', morning + 999 * day)).toBe(true);
});

describe('asking again', () => {
  test.each([
    ['declined', (person: Person, id: string) => person.act(id, 'decline', 'person', morning)],
    ['stopped', (person: Person, id: string) => person.end(id, 'requester', morning)],
    ['refused by the vendor', (person: Person, id: string) => person.end(id, 'vendor', morning)],
  ])('after it was %s waits for a week after the question', (_what, end) => {
    const { person, id } = asked({ via: 'link' });
    person.act(id, 'open', 'person', morning);
    end(person, id);
    expect([0, 7 * day - 1, 7 * day].map((ms) => person.isResting('a', morning + ms))).toEqual([
      true,
      true,
      false,
    ]);
    expect(person.isResting('b', morning)).toBe(false);
  });

  test('is free when its time ran out, or when it was taken back unsent', () => {
    expect(shared({ duration: 'hour' }).person.isResting('a', morning + day / 24)).toBe(false);
    const { person, id } = asked();
    person.end(id, 'requester', morning);
    expect(person.isResting('a', morning)).toBe(false);
  });

  test('never comes to an end for who was blocked', () => {
    const { person, id } = asked();
    person.block('a', morning);
    person.end(id, 'person', morning);
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
