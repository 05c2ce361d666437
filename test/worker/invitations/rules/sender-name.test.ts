import { expect, test } from 'vitest';
import { senderName } from '../../../../worker/invitations/rules/invitation.ts';

test.each([
  ['Ana', 'Ana'],
  ['  Mary  Ann ', 'Mary Ann'],
  ["O'Neil", "O'Neil"],
  ['Jean-Luc', 'Jean-Luc'],
  ['José', 'José'],
  ['محمد', 'محمد'],
  ['山田太郎', '山田太郎'],
  ['김민수', '김민수'],
  ['Ярослава', 'Ярослава'],
  ['abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
])('sender name: %j is accepted', (typed, name) => expect(senderName(typed)).toBe(name));

test.each([
  '',
  ' ',
  'abcdefghijklmnopqrstu',
  'bank.com',
  'a@b.de',
  'http://x',
  'Call 0900',
  'Ana1',
  'A/B',
  'www:x',
  'Ana\u202Etxt',
  '😀',
  'Ana_',
  "'Ana",
])('sender name: %j is refused', (typed) => expect(senderName(typed)).toBeNull());

test('sender name: a line break becomes a space', () =>
  expect(senderName('Ana\nMaria')).toBe('Ana Maria'));
