import fc from 'fast-check';
import { expect, it } from 'vitest';
import { correctedEmail } from '../../islands/account/email-typo.ts';
import { isEmail } from '../../islands/account/is-email.ts';
import { shortcutsFor, withDomain } from '../../islands/email-form.tsx';
import { marketOf } from '../../worker/catalog/rules/markets.ts';

const hosts = ['gmail.com', 'yahoo.com', 'outlook.com'];

it('e-mail shortcuts: offers what completes the text once it has an @', () => {
  expect(shortcutsFor('', hosts)).toEqual([]);
  expect(shortcutsFor('ada', hosts)).toEqual([]);
  expect(shortcutsFor('ada@', hosts)).toEqual(hosts);
  expect(shortcutsFor('ada@gmail.co', hosts)).toEqual(['gmail.com']);
  expect(shortcutsFor('ada@x', hosts)).toEqual([]);
  expect(shortcutsFor('ada@Yahoo.com ', hosts)).toEqual(['yahoo.com']);
});

it('e-mail shortcuts: replaces the domain of a text that is not empty', () => {
  expect(withDomain('ada', 'gmail.com')).toBe('ada@gmail.com');
  expect(withDomain('ada@yah', 'gmail.com')).toBe('ada@gmail.com');
  expect(withDomain('', 'gmail.com')).toBe('');
  expect(withDomain('@yahoo.com', 'gmail.com')).toBe('');
});

it.each([
  ['name@gmial.com', 'name@gmail.com'],
  ['name@gmai.com', 'name@gmail.com'],
  ['name@gmail.co', 'name@gmail.com'],
  ['name@gmail.con', 'name@gmail.com'],
  ['name@hotmial.com', 'name@hotmail.com'],
  ['name@yaho.com', 'name@yahoo.com'],
  ['name@outlok.com', 'name@outlook.com'],
  ['name@iclod.com', 'name@icloud.com'],
  ['Ada.Love+map@gamil.com', 'Ada.Love+map@gmail.com'],
])('e-mail typo: %s becomes %s', (typed, meant) => {
  expect(correctedEmail(typed)).toBe(meant);
});

const right = ['proton.me', 'hey.com', 'gmx.net', 'gmx.de', 'mac.com', 'me.com', 'email.com']
  .concat(['mail.com', 'web.de', 'pm.me', 'live.com', 'yahoo.co.uk', 'hotmail.fr', 'gmail.com'])
  .concat(['uni-bonn.de', 'acme.io', 'company.co', 'example.com', 'bbc.co.uk', 'fastmail.com'])
  .concat(marketOf('US').shortcuts, marketOf('DE').shortcuts);

it.each([...new Set(right)])('e-mail typo: %s is left as it is', (host) => {
  expect(correctedEmail(`name@${host}`)).toBeNull();
});

it.each(['', 'ada', '@', 'ada@'])('e-mail typo: %j is not corrected', (typed) => {
  expect(correctedEmail(typed)).toBeNull();
});

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
