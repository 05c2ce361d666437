import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { files, languages, plural, type Texts, textsOf } from './flat.ts';

/** The keys that a language must have: English's, with the plural forms that it knows. */
function keysFor(language: string, english: Texts): Set<string> {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return new Set(
    [...english.keys()].flatMap((key) =>
      plural.test(key) ? forms.map((form) => key.replace(plural, `_${form}`)) : [key],
    ),
  );
}

const placeholders = (text = '') => new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(String));

/** A form for exactly so many may say the number in words. */
const counted = /_(zero|one|two)$/;
const without = (set: Set<string>, key: string) =>
  counted.test(key) ? new Set([...set].filter((place) => !place.includes('count'))) : set;

/** The same in every language. */
const names = new Set(['App Store', 'Google Play']);

const others = languages.filter((language) => language !== 'en');

test('there are languages besides English', () => expect(others.sort()).toEqual(['ar', 'de']));

describe.each(others.flatMap((language) => files.map((file) => [language, file] as const)))(
  '%s/%s',
  (language, file) => {
    const english = textsOf('en', file);
    const texts = textsOf(language, file);

    test('has every key of English and no other, with the plural forms of its language', () => {
      expect([...texts.keys()].sort()).toEqual([...keysFor(language, english)].sort());
    });

    test('fills in what English fills in', () => {
      for (const [key, text] of texts) {
        const like = english.get(key) ?? english.get(key.replace(plural, '_other'));
        expect([key, without(placeholders(text), key)]).toEqual([
          key,
          without(placeholders(like), key),
        ]);
      }
    });

    test('leaves nothing empty or in English', () => {
      const same = [...texts].filter(([key, text]) => {
        const like = english.get(key);
        return (
          !text.trim() || (text === like && !names.has(text) && /[a-z]{3,} [a-z]{2,}/i.test(text))
        );
      });
      expect(same).toEqual([]);
    });
  },
);

test.each(others)('%s has a glossary', (language) =>
  expect(existsSync(`locales/${language}/glossary.md`)).toBe(true),
);
