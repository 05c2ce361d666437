import { describe, expect, test } from 'vitest';
import { accept, block, decline, open, stop } from '../../worker/answers.ts';
import { Person } from '../../worker/person.ts';
import { contact, here, question } from './asked.ts';
import { memoryKv } from './memory-kv.ts';

function asked(via: 'text' | 'link' = 'link') {
  const person = new Person(memoryKv().kv);
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
  open(person, 'h');
  expect(stop(person, 'h')).toEqual(over);
  decline(person, 'h');
  expect(accept(person, 'h', here)).toEqual(over);
  expect(open(person, 'h')).toMatchObject({ view: { state: 'over', blocked: false } });
});

test('who shares may stop and block, in one or after another', () => {
  const person = asked();
  open(person, 'h');
  accept(person, 'h', here);
  expect(block(person, 'h', true)).toMatchObject({ view: { state: 'over', blocked: true } });
  const [invitation] = person.invitations(Date.now());
  expect(invitation?.evidence.at(-1)).toMatchObject({ state: 'stopped', by: 'report' });
  expect(stop(person, 'h')).toMatchObject({ view: { state: 'over' } });
  expect(block(person, 'h', false)).toMatchObject({ view: { blocked: true } });
});
