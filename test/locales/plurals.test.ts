import { readFileSync } from 'node:fs';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { pluralOf } from '../../locales/format/plural.ts';
import { languages, plural, textsOf } from './flat-texts.ts';

const counts = [1, 2, 3, 4, 5, 7, 10, 11, 12, 14, 21, 22, 25, 31, 100, 101, 111];
const counted = (language: string, file: string) =>
  new Set([...textsOf(language, file).keys()].filter((key) => plural.test(key)));
const bare = (keys: Iterable<string>) => new Set([...keys].map((key) => key.replace(plural, '')));

/** i18next with one plural text per form. */
function speaker(language: string) {
  const screens = JSON.parse(readFileSync(`locales/${language}/screens.json`, 'utf8'));
  const i18n = createInstance({ lng: language, resources: { [language]: { screens } } });
  i18n.init({ initAsync: false, defaultNS: 'screens', interpolation: { escapeValue: false } });
  return i18n.t as unknown as (key: string, values: { count: number }) => string;
}

/** unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html */
const table: [language: string, form: string, counts: number[]][] = [
  ['ru', 'one', [1, 21, 31, 101, 121]],
  ['ru', 'few', [2, 3, 4, 22, 24, 33, 102]],
  ['ru', 'many', [5, 7, 10, 11, 12, 14, 19, 20, 25, 100, 111, 112]],
  ['ar', 'one', [1]],
  ['ar', 'two', [2]],
  ['ar', 'few', [3, 7, 10, 103, 110]],
  ['ar', 'many', [11, 14, 25, 99, 111]],
  ['ar', 'other', [100, 101, 102, 200]],
];

test.each(table)('plurals: in %s “%s” is used for %j', (language, form, numbers) => {
  const speak = speaker(language);
  const texts = textsOf(language, 'screens.json');
  const keys = [...bare(counted(language, 'screens.json'))];
  expect(keys).not.toEqual([]);
  for (const key of keys) {
    for (const count of numbers) {
      const text = texts.get(`${key}_${form}`)?.replaceAll('{{count}}', `${count}`);
      expect([key, count, speak(key, { count })]).toEqual([key, count, text]);
    }
  }
});

test.each(languages)('plurals: in %s every count has the form given by CLDR', (language) => {
  const rules = new Intl.PluralRules(language);
  const say = speaker(language);
  const texts = textsOf(language, 'screens.json');
  for (const key of bare(counted(language, 'screens.json'))) {
    for (const count of counts) {
      const form = texts.get(`${key}_${rules.select(count)}`)?.replaceAll('{{count}}', `${count}`);
      expect([key, count, say(key, { count })]).toEqual([key, count, form]);
    }
  }
  const islands = textsOf(language, 'islands.json');
  const keys = counted(language, 'islands.json');
  const words = Object.fromEntries([...keys].map((key) => [key, islands.get(key) ?? '']));
  for (const key of bare(keys)) {
    for (const count of counts) {
      expect(pluralOf(words, key, count, language)).toBe(words[`${key}_${rules.select(count)}`]);
    }
  }
});
