import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directionOf, languageName, matchHeader, matchTag, scriptOf } from '../../locales/index.ts';
import headers from './accept-language.json' with { type: 'json' };
import { languages } from './flat-texts.ts';

const available = ['ar', 'de', 'en', 'es', 'fr-CA', 'pt-BR', 'pt-PT', 'zh-Hant'];

describe('language for an Accept-Language header', () => {
  const rows = Object.entries(headers);

  test('matches two hundred real headers', () => {
    expect(rows.length).toBeGreaterThanOrEqual(200);
    for (const [header, language] of rows) {
      expect([header, matchHeader(header, available)]).toEqual([header, language]);
    }
  });

  test('is always a supported one', () => {
    const piece = fc.constantFrom('de', 'ar-EG', ';q=', '0.5', ',', '*', '-', '\u0000', 'é', '');
    const header = fc.oneof(
      fc.string({ maxLength: 2000 }),
      fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, (text) => {
        expect(available).toContain(matchHeader(text, available));
      }),
    );
  });

  test('is English when nothing matches', () => {
    for (const header of Object.keys(headers)) expect(matchHeader(header, ['en'])).toBe('en');
  });
});

/** Our own folders, and languages that browsers request. */
test.each([
  ['pt-PT,pt;q=0.9', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['es-419,es;q=0.9,en;q=0.8', 'es'],
  ['es-MX', 'es'],
  ['fr-CA,fr;q=0.9', 'fr'],
  ['it-CH', 'it'],
  ['nl-BE,fr;q=0.5', 'nl'],
  ['pl-PL', 'pl'],
  ['tr-TR,tr;q=0.9', 'tr'],
  ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
  ['uk-UA,uk;q=0.9,ru;q=0.8', 'uk'],
  ['UK', 'uk'],
  ['ja-JP', 'ja'],
  ['ko-KR,ko;q=0.9', 'ko'],
  ['ar-EG', 'ar'],
  ['de-CH', 'de'],
  ['zh-CN,zh;q=0.9', 'en'],
  ['zh-TW,ja;q=0.5', 'ja'],
  ['sv,fi;q=0.9', 'en'],
  ['be-BY,ru;q=0.5', 'ru'],
])('languages: %j gets %s', (header, language) =>
  expect(matchHeader(header, [...languages].sort())).toBe(language),
);

test.each([
  ['pt-pt', 'pt-PT'],
  ['de-AT', 'de'],
  ['fr-BE', 'fr-CA'],
  ['ja', undefined],
  ['', undefined],
  [undefined, undefined],
])('languages: the tag %j matches %j', (tag, language) =>
  expect(matchTag(tag, available)).toBe(language),
);

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa', 'rtl'],
  ['ur-PK', 'rtl'],
  ['en', 'ltr'],
  ['arn', 'ltr'],
  ['', 'ltr'],
] as const)('languages: %s is written %s', (language, direction) =>
  expect(directionOf(language)).toBe(direction),
);

test.each([
  ['de', 'Latn', 'Deutsch'],
  ['ar', 'Arab', 'العربية'],
  ['ru', 'Cyrl', 'Русский'],
  ['ja', 'Jpan', '日本語'],
])('languages: %s is written in %s and calls itself %s', (language, script, name) => {
  expect([scriptOf(language), languageName(language)]).toEqual([script, name]);
});
