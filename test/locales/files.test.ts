import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeholdersMatch } from '../../worker/content/rules/placeholders.ts';
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

/** The same in every language. */
const names = new Set(['App Store', 'Google Play']);

const others = languages.filter((language) => language !== 'en');

test('there are fourteen languages', () => {
  const spoken = 'ar de en es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');
  expect(languages).toEqual(expect.arrayContaining(spoken));
});

/** Keys of the texts that fill in or link something else than English does. */
const unlike = (language: string, texts: Texts, english: Texts) =>
  [...texts].filter(([key, text]) => {
    const like = english.get(key) ?? english.get(key.replace(plural, '_other')) ?? '';
    return !placeholdersMatch(text, like, key, language);
  });

describe.each(others.flatMap((language) => files.map((file) => [language, file] as const)))(
  '%s/%s',
  (language, file) => {
    const english = textsOf('en', file);
    const texts = textsOf(language, file);

    test('has every key of English and no other, with the plural forms of its language', () => {
      expect([...texts.keys()].sort()).toEqual([...keysFor(language, english)].sort());
    });

    test('fills in and links what English does', () => {
      expect(unlike(language, texts, english)).toEqual([]);
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

test.each(others.filter((language) => existsSync(`locales/${language}/pages.json`)))(
  'the legal pages in %s fill in and link what the English ones do',
  (language) => {
    const texts = textsOf(language, 'pages.json');
    expect(unlike(language, texts, textsOf('en', 'pages.json'))).toEqual([]);
  },
);

/** The label in the app that a text tells to choose: what it quotes. */
const quoted = (text = '') => /[“„«‘「](.+?)[”“»’」]/.exec(text)?.[1];

test.each(languages)(
  '%s calls the sign-in by code the same wherever it tells of it',
  (language) => {
    const name = quoted(textsOf(language, 'screens.json').get('success.manual.choose'));
    const support = textsOf(language, 'pages.json').get('support.sections.2.text.0');
    expect([name, quoted(support)]).toEqual([expect.any(String), name]);
  },
);
