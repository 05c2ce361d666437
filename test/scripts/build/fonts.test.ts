import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scriptOf } from '../../../locales/index.ts';
import { lettersWithout } from '../../../scripts/build/fonts.ts';
import { languages } from '../../locales/flat-texts.ts';

const ours = languages.filter((language) => /^(Latn|Cyrl|Arab)$/.test(scriptOf(language)));

test.for(ours)('fonts: every letter of %s is in the fonts of its pages', (language) => {
  const texts = globSync(`locales/${language}/*.json`).map((file) => readFileSync(file, 'utf8'));
  expect(lettersWithout(language, texts.join(''))).toEqual([]);
});

test('fonts: a letter of another script is found', () => {
  expect(lettersWithout('de', 'Grüße, 日本 Žž')).toEqual(['日', '本']);
  expect(lettersWithout('tr', 'İıĞğŞş')).toEqual([]);
  expect(lettersWithout('uk', 'ҐґЄєІіЇї’')).toEqual([]);
});
