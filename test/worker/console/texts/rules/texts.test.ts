import { expect, test } from 'vitest';
import {
  type LanguageTexts,
  shownText,
  textState,
  withText,
  writtenSince,
} from '../../../../../worker/console/texts/rules/texts.ts';

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

test('console texts: published, built-in, missing and outdated texts are distinguished', () => {
  const state = (key: string, own: LanguageTexts) => textState(key, own, english);
  expect(state('screens.a', english)).toBe('published');
  expect(state('screens.b', english)).toBe('built-in');
  expect(state('screens.a', german)).toBe('outdated');
  expect(state('screens.b', german)).toBe('missing');
  expect(state('screens.a', { ...german, published: { 'screens.a': 'Kaufen' } })).toBe('published');
  const plural = 'screens.days_one';
  const counted = { ...english, builtIn: { ...english.builtIn, [plural]: 'a day' } };
  expect(
    textState(plural, { tag: 'ja', builtIn: {}, published: {}, confirmed: new Map() }, counted),
  ).toBe('built-in');
  expect(textState(plural, german, counted)).toBe('missing');
  expect(shownText('screens.b', german, english)).toBe('Terms');
});

test('console texts: a translation is outdated once the English text that it matches has changed', () => {
  const matching = (key: string, text: string, published = {}) =>
    textState(key, { ...german, published, confirmed: new Map([[key, text]]) }, english);
  expect(matching('screens.a', 'Buy now')).toBe('built-in');
  expect(matching('screens.a', 'Pay now')).toBe('outdated');
  const own = { 'screens.b': 'AGB' };
  expect(matching('screens.b', 'Terms', own)).toBe('published');
  expect(matching('screens.b', 'Rules', own)).toBe('outdated');
});

test('console texts: entering the built-in text, or nothing, removes a published text', () => {
  expect(withText(english, 'screens.a', 'Pay')).toEqual({ 'screens.a': 'Pay' });
  expect(withText(english, 'screens.a', 'Pay now')).toEqual({});
  expect(withText(english, 'screens.a', '')).toEqual({});
  expect(withText(english, 'screens.b', 'T')).toEqual({ ...english.published, 'screens.b': 'T' });
});

test('console texts: of a publication, the changed translations are listed with the English text they match', () => {
  const translated = { ...german, published: { 'screens.a': 'Kaufen', 'screens.b': 'AGB' } };
  const before = [english, { ...german, published: { 'screens.b': 'AGB' } }];
  const after = [{ ...english, published: { 'screens.a': 'Order' } }, translated];
  expect(writtenSince(before, after, english)).toEqual([
    { key: 'screens.a', language: 'de', english: 'Buy now' },
  ]);
  expect(writtenSince([], [translated], english).map(({ key }) => key)).toEqual([
    ...['screens.a', 'screens.b'],
  ]);
});
