import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeholdersMatch } from '../../locales/format/placeholders.ts';
import { supportSigns } from '../../screens/article.tsx';
import { guideSigns } from '../../screens/guide.tsx';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { files, languages, plural, type Texts, textsOf } from './flat-texts.ts';

/** The required keys of a language: English's, with the language's plural forms. */
function keysFor(language: string, english: Texts): Set<string> {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return new Set(
    [...english.keys()].flatMap((key) =>
      plural.test(key) ? forms.map((form) => key.replace(plural, `_${form}`)) : [key],
    ),
  );
}

/** Names that are the same in every language. */
const names = new Set(['App Store', 'Google Play']);

const others = languages.filter((language) => language !== 'en');

test('locales: there are fourteen languages', () => {
  const expectedLanguages = 'ar de en es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');
  expect(languages).toEqual(expect.arrayContaining(expectedLanguages));
});

/** Keys of texts whose placeholders or links differ from English. */
const unlike = (language: string, texts: Texts, english: Texts) =>
  [...texts].filter(([key, text]) => {
    const like = english.get(key) ?? english.get(key.replace(plural, '_other')) ?? '';
    return !placeholdersMatch(text, like, key, language);
  });

describe.each(others.flatMap((language) => files.map((file) => [language, file] as const)))(
  'locales: %s/%s',
  (language, file) => {
    const english = textsOf('en', file);
    const texts = textsOf(language, file);

    test('has the keys of English and the plural forms of its language', () => {
      expect([...texts.keys()].sort()).toEqual([...keysFor(language, english)].sort());
    });

    test('has the placeholders and links of English', () => {
      expect(unlike(language, texts, english)).toEqual([]);
    });

    test('has no empty or English text', () => {
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

test.each(others)('locales: %s has a glossary', (language) =>
  expect(existsSync(`locales/${language}/glossary.md`)).toBe(true),
);

test.each(others.filter((language) => existsSync(`locales/${language}/pages.json`)))(
  'locales: the legal pages in %s have the keys, placeholders and links of English',
  (language) => {
    const [texts, english] = [textsOf(language, 'pages.json'), textsOf('en', 'pages.json')];
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    expect(unlike(language, texts, english)).toEqual([]);
  },
);

/** The app's label that a text refers to, which is in quotes. */
const quoted = (text = '') => /[“„«‘「](.+?)[”“»’」]/.exec(text)?.[1];

test.each(languages)('locales: %s names the sign-in by code consistently', (language) => {
  const name = quoted(textsOf(language, 'islands.json').get('app-handoff.code_choose'));
  const support = textsOf(language, 'pages.json').get('support.sections.4.text.0');
  expect([name, quoted(support)]).toEqual([expect.any(String), name]);
});

test.each(languages)('locales: in %s, the add-on has one name', (language) => {
  const screens = textsOf(language, 'screens.json');
  const islands = textsOf(language, 'islands.json');
  const lower = (text = '') => text.toLocaleLowerCase(language);
  const names = [screens.get('features.quiet.title'), screens.get('features.chat.title')];
  expect(names).toEqual([
    screens.get('upsell.benefits.quiet.title'),
    screens.get('upsell.benefits.chat.title'),
  ]);
  const product = textsOf(language, 'mails.json').get('plan.upsell');
  expect(islands.get('my-account.upsell')).toBe(product);
  const title = screens.get('upsell.an_private.title');
  for (const text of [product, title, islands.get('owned-extras.upsell')])
    for (const name of names) expect(lower(text)).toContain(lower(name));
  if (language === 'en') {
    const sold = builtInCatalog.families.filter((family) => family.startsWith('upsell_'));
    for (const family of sold)
      expect(builtInCatalog.planOf(family, 'USD').productId).toContain(`${product}, `);
  } else {
    const glossary = readFileSync(`locales/${language}/glossary.md`, 'utf8');
    const [, wanted = ''] = /^\| anonymous mode \| (.+?) \|/m.exec(glossary) ?? [];
    expect(lower(wanted)).toBe(lower(names[0]));
  }
});

test.each(languages)('locales: in %s, the money-back guarantee says 100 %', (language) => {
  const screens = textsOf(language, 'screens.json');
  expect(screens.get('claims.guarantee')).toMatch(/100\s?%|%100/);
});

test.each(languages)(
  'locales: in %s, no line of the renewal ends between a number and its noun',
  (language) =>
    expect(textsOf(language, 'screens.json').get('plans.every.quarter')).not.toMatch(/\d [^{]/),
);

test.each(languages)(
  'locales: in %s, every part of the support page and the guide has a sign',
  (language) => {
    const parts = (file: string, part: RegExp) =>
      [...textsOf(language, file).keys()].filter((key) => part.test(key)).length;
    expect([
      parts('pages.json', /^support\.sections\.\d+\.title$/),
      parts('guide.json', /^sections\.\d+\.title$/),
    ]).toEqual([supportSigns.length, guideSigns.length]);
  },
);
