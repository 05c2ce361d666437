import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directionOf, matchLanguage } from '../../locales/index.ts';

test.each([
  ['en'],
  ['en-GB'],
  ['EN-us'],
  ['de;q=0.9, en;q=0.1'],
  ['*'],
  [''],
  ['fr, ar;q=0.8'],
  ['en;q=0'],
  [';;;,,,q=1'],
])('%j is answered in English', (header) => expect(matchLanguage(header)).toBe('en'));

test('whatever a browser sends, the answer is the one language that we speak', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000 }), (header) => {
      expect(matchLanguage(header)).toBe('en');
    }),
  );
});

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa', 'rtl'],
  ['ur-PK', 'rtl'],
  ['en', 'ltr'],
  ['arn', 'ltr'],
  ['', 'ltr'],
] as const)('%s is written %s', (language, direction) =>
  expect(directionOf(language)).toBe(direction),
);
