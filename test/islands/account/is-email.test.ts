import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isEmail } from '../../../islands/account/is-email.ts';

it.each(['a@b.co', 'ada.lovelace+x@mail.example.co.uk', "o'neil@a-b.org", 'A@B.CO', '_@1.de'])(
  'e-mail check: accepts %s',
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
])('e-mail check: rejects %j', (email) => expect(isEmail(email)).toBe(false));

const label = fc.stringMatching(/^[a-z\d]([a-z\d-]{0,20}[a-z\d])?$/);
const local = fc.stringMatching(/^[\w.!#$%&'*+/=?^`{|}~-]{1,40}$/);

it('e-mail check: accepts every local part of the standard with every dotted domain', () => {
  fc.assert(
    fc.property(local, fc.array(label, { minLength: 2, maxLength: 4 }), (name, labels) => {
      expect(isEmail(`${name}@${labels.join('.')}`)).toBe(true);
    }),
  );
});

it('e-mail check: rejects a domain without a dot, white space, and more than 254 characters', () => {
  fc.assert(
    fc.property(local, label, (name, host) => {
      expect(isEmail(`${name}@${host}`)).toBe(false);
      expect(isEmail(`${name} @${host}.co`)).toBe(false);
      expect(isEmail(`${name}${'x'.repeat(254)}@${host}.co`)).toBe(false);
    }),
  );
});

it('e-mail check: accepts exactly 254 characters and is fast for any text', () => {
  const domain = '@b.co';
  expect(isEmail('a'.repeat(254 - domain.length) + domain)).toBe(true);
  expect(isEmail('a'.repeat(255 - domain.length) + domain)).toBe(false);
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => typeof isEmail(text) === 'boolean'),
  );
});
