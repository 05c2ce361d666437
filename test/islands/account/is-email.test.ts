import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isEmail } from '../../../islands/account/is-email.ts';

it.each(['a@b.co', 'ada.lovelace+x@mail.example.co.uk', "o'neil@a-b.org", 'A@B.CO', '_@1.de'])(
  'takes %s',
  (email) => expect(isEmail(email)).toBe(true),
);

it.each([
  '',
  'a',
  'a@b',
  '@b.co',
  'a@',
  'a@@b.co',
  'a b@c.de',
  'a@b..co',
  'a@.co',
  'a@b.co.',
  'a@-b.co',
  'a@b-.co',
  'ä@b.co',
  'a@bü.co',
  ' a@b.co',
  'a@b.co\n',
  'a@b_c.de',
])('refuses %j', (email) => expect(isEmail(email)).toBe(false));

const label = fc.stringMatching(/^[a-z\d]([a-z\d-]{0,20}[a-z\d])?$/);
const local = fc.stringMatching(/^[\w.!#$%&'*+/=?^`{|}~-]{1,40}$/);

it('takes every local part of the standard before every domain with a dot', () => {
  fc.assert(
    fc.property(local, fc.array(label, { minLength: 2, maxLength: 4 }), (name, labels) => {
      expect(isEmail(`${name}@${labels.join('.')}`)).toBe(true);
    }),
  );
});

it('never takes a domain without a dot, white space, or more than 254 characters', () => {
  fc.assert(
    fc.property(local, label, (name, host) => {
      expect(isEmail(`${name}@${host}`)).toBe(false);
      expect(isEmail(`${name} @${host}.co`)).toBe(false);
      expect(isEmail(`${name}${'x'.repeat(254)}@${host}.co`)).toBe(false);
    }),
  );
});

it('agrees with a text of exactly 254 characters, and answers any text quickly', () => {
  const domain = '@b.co';
  expect(isEmail('a'.repeat(254 - domain.length) + domain)).toBe(true);
  expect(isEmail('a'.repeat(255 - domain.length) + domain)).toBe(false);
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => typeof isEmail(text) === 'boolean'),
  );
});
