import { expect, it } from 'vitest';
import { chosenIn } from '../../../islands/stores/consent.ts';

it.each([
  ['', null],
  ['consent=', null],
  ['a=1; consent=1.no', 'no'],
  ['consent=12.yes; b=2', 'yes'],
  ['xconsent=1.yes', null],
])('consent store: the cookies %j hold %j', (cookies, choice) => {
  expect(chosenIn(cookies)).toBe(choice);
});
