import { expect, test } from 'vitest';
import {
  keysShownIn,
  keysWith,
  type LanguageTexts,
  shownText,
  stateOf,
  withText,
} from '../../../../worker/console/rules/texts.ts';

const english: LanguageTexts = {
  tag: 'en',
  builtIn: { 'screens.a': 'Pay now', 'screens.b': 'Terms' },
  published: { 'screens.a': 'Buy now' },
  confirmed: new Map(),
};
const german: LanguageTexts = {
  tag: 'de',
  builtIn: { 'screens.a': 'Jetzt ZAHLEN' },
  published: {},
  confirmed: new Map(),
};

test('console texts: a text is found by visible words in any language, and by its key', () => {
  const find = (text: string) => keysWith(text, [english, german], english);
  expect(find('zahlen')).toEqual(['screens.a']);
  expect(find('BUY')).toEqual(['screens.a']);
  expect(find('pay now')).toEqual(['screens.a']);
  expect(find('screens.b')).toEqual(['screens.b']);
  expect(find('nothing of it')).toEqual([]);
});

test('console texts: quotes and hyphens are found as a keyboard types them, whole words first', () => {
  const builtIn = { 'screens.a': 'an unknown – number', 'screens.b': 'Know they’re OK' };
  const own: LanguageTexts = { tag: 'en', builtIn, published: {}, confirmed: new Map() };
  expect(keysWith("know they're ok", [own], own)).toEqual(['screens.b']);
  expect(keysWith('unknown - number', [own], own)).toEqual(['screens.a']);
  expect(keysWith('know', [own], own)).toEqual(['screens.b', 'screens.a']);
});

test('console texts: published, built-in, missing and outdated ones are told apart', () => {
  const state = (key: string, own: LanguageTexts) => stateOf(key, own, english);
  expect(state('screens.a', english)).toBe('published');
  expect(state('screens.b', english)).toBe('built-in');
  expect(state('screens.a', german)).toBe('outdated');
  expect(state('screens.b', german)).toBe('missing');
  expect(state('screens.a', { ...german, published: { 'screens.a': 'Kaufen' } })).toBe('published');
  const plural = 'screens.days_one';
  const counted = { ...english, builtIn: { ...english.builtIn, [plural]: 'a day' } };
  expect(
    stateOf(plural, { tag: 'ja', builtIn: {}, published: {}, confirmed: new Map() }, counted),
  ).toBe('built-in');
  expect(stateOf(plural, german, counted)).toBe('missing');
  expect(shownText('screens.b', german, english)).toBe('Terms');
});

test('console texts: the built-in words, or none, remove a published text', () => {
  expect(withText(english, 'screens.a', 'Pay')).toEqual({ 'screens.a': 'Pay' });
  expect(withText(english, 'screens.a', 'Pay now')).toEqual({});
  expect(withText(english, 'screens.a', '')).toEqual({});
  expect(withText(english, 'screens.b', 'T')).toEqual({ ...english.published, 'screens.b': 'T' });
});

test('console texts: words of a page lead to their key, whatever stands for a placeholder', () => {
  const own: LanguageTexts = {
    tag: 'en',
    builtIn: {
      price: 'Pay {{price}} now',
      terms: 'I accept the [terms](terms) (all)',
      short: 'or',
      longer: 'Pay {{price}} now or never',
    },
    published: {},
    confirmed: new Map(),
  };
  const shown = (words: string) => keysShownIn(words, [own], own);
  expect(shown('Pay $39.99 now')).toEqual(['price']);
  expect(shown('Pay $39.99 now or never')).toEqual(['longer', 'price']);
  expect(shown('I accept the terms (all)')).toEqual(['terms']);
  expect(shown('or')).toEqual([]);
});
