import { readFileSync } from 'node:fs';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { pluralOf } from '../../islands/parts/plural.ts';
import { languages, plural, textsOf } from './flat.ts';

const counts = [1, 2, 3, 4, 5, 7, 10, 11, 12, 14, 21, 22, 25, 31, 100, 101, 111];
const counted = (language: string, file: string) =>
  new Set([...textsOf(language, file).keys()].filter((key) => plural.test(key)));
const bare = (keys: Iterable<string>) => new Set([...keys].map((key) => key.replace(plural, '')));

test.each(languages)('in %s each count is said in the form that CLDR gives it', (language) => {
  const rules = new Intl.PluralRules(language);
  const screens = JSON.parse(readFileSync(`locales/${language}/screens.json`, 'utf8'));
  const i18n = createInstance({ lng: language, resources: { [language]: { screens } } });
  i18n.init({ initAsync: false, defaultNS: 'screens', interpolation: { escapeValue: false } });
  const say = i18n.t as unknown as (key: string, values: { count: number }) => string;
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
