import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directionOf, matchHeader, matchTag, nameOf, scriptOf } from '../../locales/index.ts';
import headers from './accept-language.json' with { type: 'json' };

const spoken = ['ar', 'de', 'en', 'es', 'fr-CA', 'pt-BR', 'pt-PT', 'zh-Hant'];

describe('the language for an Accept-Language header', () => {
  const rows = Object.entries(headers);

  test('is told for two hundred of them', () => {
    expect(rows.length).toBeGreaterThanOrEqual(200);
    for (const [header, language] of rows) {
      expect([header, matchHeader(header, spoken)]).toEqual([header, language]);
    }
  });

  test('is one that we speak, whatever a browser sends', () => {
    const piece = fc.constantFrom('de', 'ar-EG', ';q=', '0.5', ',', '*', '-', '\u0000', 'é', '');
    const header = fc.oneof(
      fc.string({ maxLength: 2000 }),
      fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, (text) => {
        expect(spoken).toContain(matchHeader(text, spoken));
      }),
    );
  });

  test('is English where nothing else is spoken', () => {
    for (const header of Object.keys(headers)) expect(matchHeader(header, ['en'])).toBe('en');
  });
});

test.each([
  ['pt-pt', 'pt-PT'],
  ['de-AT', 'de'],
  ['fr-BE', 'fr-CA'],
  ['ja', undefined],
  ['', undefined],
  [undefined, undefined],
])('the wish %j is met by %j', (wish, language) => expect(matchTag(wish, spoken)).toBe(language));

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

test.each([
  ['de', 'Latn', 'Deutsch'],
  ['ar', 'Arab', 'العربية'],
  ['ru', 'Cyrl', 'Русский'],
  ['ja', 'Jpan', '日本語'],
])('%s is written in %s and calls itself %s', (language, script, name) => {
  expect([scriptOf(language), nameOf(language)]).toEqual([script, name]);
});
