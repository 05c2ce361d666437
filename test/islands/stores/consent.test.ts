import { expect, it, vi } from 'vitest';
import { adsAllowed, chosenIn } from '../../../islands/stores/consent.ts';
import { fakeBrowser } from '../browser.ts';

it.each([
  ['', null],
  ['consent=', null],
  ['a=1; consent=3.no', 'no'],
  ['consent=12.yes; b=2', 'yes'],
  ['xconsent=3.yes', null],
])('consent store: the cookies %j contain the choice %j', (cookies, choice) => {
  expect(chosenIn(cookies)).toBe(choice);
});

it.each([
  ['asked, not answered', '', 'memory', false, false],
  ['asked, yes', 'consent=3.yes', 'memory', false, true],
  ['not asked', 'a=b', undefined, false, true],
  ['not asked, no', 'consent=3.no', undefined, false, false],
  ['not asked, the browser objects', '', undefined, true, false],
  ['not asked, the browser objects, yes all the same', 'consent=3.yes', undefined, true, true],
])('consent store: are ads allowed: %s', (_, cookie, storage, objects, may) => {
  fakeBrowser({ cookie, main: storage ? { storage } : {} });
  vi.stubGlobal('navigator', { globalPrivacyControl: objects });
  expect(adsAllowed()).toBe(may);
});
