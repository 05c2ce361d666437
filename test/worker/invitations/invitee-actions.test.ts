import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  accept,
  block,
  decline,
  open,
  stop,
  stopEveryone,
} from '../../../worker/invitations/invitee-actions.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import { memoryKv } from '../memory-kv.ts';
import { contact, here, question } from './invitation-fixture.ts';

afterEach(() => void vi.useRealTimers());

function asked(via: 'text' | 'link' = 'link') {
  const person = new InviteeStorage(memoryKv().kv);
  person.ask(question('a', { via }), { code: 'c', hash: 'h', version: 1 }, contact, Date.now());
  return person;
}

const over = { refusal: 'invitation_over' };

test('a code that nobody made opens nothing', () => {
  const person = asked();
  const unknown = { refusal: 'invitation_unknown' };
  expect(open(person, 'x')).toEqual(unknown);
  expect(accept(person, 'x', here)).toEqual(unknown);
  expect(block(person, 'x', false)).toEqual(unknown);
  expect(stopEveryone(person, 'x')).toEqual(unknown);
});

test('who has the code was reached, also where the vendor’s answer was lost', () => {
  const person = asked('text');
  expect(open(person, 'h')).toMatchObject({ view: { state: 'asked', country: 'DE' } });
  const [invitation] = person.invitations(Date.now());
  expect(invitation?.evidence.map(({ state, by }) => [state, by])).toEqual([
    ['drafted', 'requester'],
    ['sent', 'person'],
    ['opened', 'person'],
  ]);
  open(person, 'h');
  expect(person.invitations(Date.now())[0]?.evidence).toHaveLength(3);
});

describe('an answer given twice is the same answer', () => {
  test('yes', () => {
    const person = asked();
    open(person, 'h');
    const first = accept(person, 'h', here);
    expect(accept(person, 'h', { ...here, latitude: 0 })).toEqual(first);
  });

  test('no', () => {
    const person = asked();
    open(person, 'h');
    expect(decline(person, 'h')).toEqual(decline(person, 'h'));
  });
});

test('nothing is accepted before it is opened, nor after a no', () => {
  const person = asked();
  expect(accept(person, 'h', here)).toEqual(over);
  expect(stop(person, 'h')).toEqual(over);
  decline(person, 'h');
  expect(accept(person, 'h', here)).toEqual(over);
});

const week = 7 * 24 * 60 * 60_000;

function yesAndStop(person: InviteeStorage): void {
  accept(person, 'h', here);
  expect(stop(person, 'h')).toMatchObject({ view: { state: 'over', name: '', hidden: true } });
}

describe('a no shows where it is said, and to nobody who opens the link later', () => {
  test.each<[string, (person: InviteeStorage) => unknown]>([
    ['declined', (person) => decline(person, 'h')],
    ['blocked', (person) => block(person, 'h', false)],
    ['reported', (person) => block(person, 'h', true)],
    ['refused to everyone', (person) => stopEveryone(person, 'h')],
    ['stopped by text', (person) => person.stopAll(Date.now())],
    ['stopped after a yes that nobody saw', (person) => yesAndStop(person)],
  ])('%s', (_what, say) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
    const person = asked();
    const before = open(person, 'h');
    vi.setSystemTime(5000);
    say(person);
    expect(open(person, 'h')).toEqual(before);
    expect(stop(person, 'h')).toEqual(over);
    expect(decline(person, 'h')).toMatchObject({
      view: { state: 'over', name: '', hidden: true, answer_by: 1000 + week },
    });
    vi.setSystemTime(1000 + week);
    expect(open(person, 'h')).toMatchObject({ view: { state: 'over', hidden: false } });
    expect(person.invitations(Date.now())[0]?.name).toBe('');
  });

  test('who took the question back is known to have done so', () => {
    const person = asked();
    decline(person, 'h');
    person.takeBack(person.invitations(Date.now())[0]?.id ?? '', Date.now());
    expect(open(person, 'h')).toMatchObject({ view: { state: 'over', name: '' } });
  });
});

test('who shares may stop and block, in one or after another', () => {
  const person = asked();
  open(person, 'h');
  accept(person, 'h', here);
  const reported = block(person, 'h', true);
  expect(reported).toMatchObject({ view: { state: 'over', blocked: 'asker' } });
  const [invitation] = person.invitations(Date.now());
  expect(invitation?.evidence.at(-1)).toMatchObject({ state: 'stopped', by: 'report' });
  expect(block(person, 'h', false)).toMatchObject({ view: { blocked: 'asker' } });
});

test('a yes that was shown is stopped openly, and twice', () => {
  const person = asked();
  open(person, 'h');
  accept(person, 'h', here);
  const [yes] = person.invitations(Date.now());
  if (yes) person.markSeen(yes, Date.now());
  const first = stop(person, 'h');
  expect(first).toMatchObject({ view: { state: 'over', name: '', hidden: false } });
  expect([stop(person, 'h'), open(person, 'h')]).toEqual([first, first]);
});

test('a no to a question that was never opened is answered as one to an opened', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  const [opened, before, blocked] = [asked(), asked('text'), asked('text')];
  open(opened, 'h');
  blocked.stopAll(Date.now());
  const [no, ...others] = [opened, before, blocked].map((person) => decline(person, 'h'));
  expect(no).toMatchObject({ view: { state: 'over' } });
  expect(others).toEqual([no, no]);
});

test('who lets nobody ask is as after STOP by text', () => {
  const person = asked();
  const other = question('b', { via: 'link' });
  person.ask(other, { code: 'd', hash: 'i', version: 1 }, contact, Date.now());
  const answer = stopEveryone(person, 'h');
  expect(answer).toMatchObject({ view: { state: 'over', blocked: 'everyone' } });
  expect([person.stopped, person.invitation(other.id, Date.now())?.state]).toEqual([
    true,
    'blocked',
  ]);
});

test('a block ends what the same account asks now, though it comes from an older question', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  const person = asked();
  open(person, 'h');
  accept(person, 'h', here);
  vi.setSystemTime(1000 + week);
  const next = question('a', { via: 'link' });
  person.ask(next, { code: 'd', hash: 'i', version: 1 }, contact, Date.now());
  block(person, 'h', false);
  expect(person.invitation(next.id, Date.now())?.state).toBe('blocked');
});
