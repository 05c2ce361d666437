import { expect, it } from 'vitest';
import { suggestionFor } from '../../../islands/account/email-typo.ts';
import { marketOf } from '../../../worker/catalog/markets.ts';

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
  expect(suggestionFor(typed)).toBe(meant);
});

const right = ['proton.me', 'hey.com', 'gmx.net', 'gmx.de', 'mac.com', 'me.com', 'email.com']
  .concat(['mail.com', 'web.de', 'pm.me', 'live.com', 'yahoo.co.uk', 'hotmail.fr', 'gmail.com'])
  .concat(['uni-bonn.de', 'acme.io', 'company.co', 'example.com', 'bbc.co.uk', 'fastmail.com'])
  .concat(marketOf('US').shortcuts, marketOf('DE').shortcuts);

it.each([...new Set(right)])('e-mail typo: %s is left as it is', (host) => {
  expect(suggestionFor(`name@${host}`)).toBeNull();
});

it.each(['', 'ada', '@', 'ada@'])('e-mail typo: %j is not corrected', (typed) => {
  expect(suggestionFor(typed)).toBeNull();
});
