import { expect, it } from 'vitest';
import { shortcutsFor, withDomain } from '../../../islands/account/email-domain-buttons.tsx';

const hosts = ['gmail.com', 'yahoo.com', 'outlook.com'];

it('e-mail shortcuts: offers all until the typed domain is one of them', () => {
  expect(shortcutsFor('', hosts)).toEqual(hosts);
  expect(shortcutsFor('ada', hosts)).toEqual(hosts);
  expect(shortcutsFor('ada@', hosts)).toEqual(hosts);
  expect(shortcutsFor('ada@gmail.co', hosts)).toEqual(hosts);
  expect(shortcutsFor('ada@Yahoo.com ', hosts)).toEqual(['yahoo.com']);
});

it('e-mail shortcuts: replaces the domain of a text that is not empty', () => {
  expect(withDomain('ada', 'gmail.com')).toBe('ada@gmail.com');
  expect(withDomain('ada@yah', 'gmail.com')).toBe('ada@gmail.com');
  expect(withDomain('', 'gmail.com')).toBe('');
  expect(withDomain('@yahoo.com', 'gmail.com')).toBe('');
});
