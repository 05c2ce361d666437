import { afterEach, expect, test } from 'vitest';
import guide from '../../../locales/de/guide.json';
import german from '../../../locales/de/screens.json';
import errors from '../../../locales/en/errors.json';
import islands from '../../../locales/en/islands.json';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { languages } from '../../../worker/content/language-files.ts';
import {
  loadEnglish,
  overrideTexts,
  translationsFor,
} from '../../../worker/content/translations.ts';
import { readLanguage } from '../read-language.ts';

await loadEnglish();

const { graceDays } = builtInCatalog.planOf('monthly', 'USD');
const words = translationsFor('en');

afterEach(() => void overrideTexts('de', null));

test('translations: a language is used once it is loaded, English before', async () => {
  expect(translationsFor('de').screens('notice.declined.title')).toBe('Payment declined');
  await readLanguage('de');
  expect(translationsFor('de').screens('notice.declined.title')).toBe(german.notice.declined.title);
  expect(translationsFor('de')).toBe(translationsFor('de'));
});

test('translations: each folder of locales is a language', () => {
  expect(languages).toEqual(expect.arrayContaining(['ar', 'de', 'en']));
  expect(new Set(languages).size).toBe(languages.length);
});

test('translations: screens are translated by key, with interpolation', () => {
  expect(words.screens('notice.declined.title')).toBe('Payment declined');
});

test('translations: islands get raw texts and interpolate them', () => {
  expect(words.islands).toEqual(islands);
});

test('translations: every error code has a sentence', () => {
  for (const [code, sentence] of Object.entries(errors)) {
    expect(words.errors(code as keyof typeof errors)).toBe(sentence.replace('{{days}}', '7 days'));
  }
});

test('translations: remote texts replace built-in ones until they are removed', async () => {
  await readLanguage('de');
  const refused = overrideTexts('de', {
    'screens.notice.declined.title': 'Leider nein',
    'islands.toast.close': 'Weg damit',
    'errors.email_taken': 'Schon vergeben <b>',
  });
  expect(refused).toEqual([{ key: 'errors.email_taken', reason: 'other placeholders or markup' }]);
  const { screens, islands: own, errors: sentence } = translationsFor('de');
  expect(screens('notice.declined.title')).toBe('Leider nein');
  expect(own.toast.close).toBe('Weg damit');
  expect(sentence('email_taken')).not.toContain('<b>');
  overrideTexts('de', null);
  expect(translationsFor('de').screens('notice.declined.title')).toBe(german.notice.declined.title);
});

test('translations: remote texts replace sentences of the guide', async () => {
  expect(translationsFor('xx').guide).toEqual(translationsFor('en').guide);
  await readLanguage('de');
  const key = 'guide.sections.0.parts.1.list.2';
  const refused = overrideTexts('de', {
    [key]: 'Geh nicht allein hin.',
    'guide.sections.99.title': 'x',
  });
  expect(refused).toEqual([{ key: 'guide.sections.99.title', reason: 'no such key' }]);
  const expected = structuredClone(guide);
  expected.sections[0]?.parts[1]?.list.splice(2, 1, 'Geh nicht allein hin.');
  expect(translationsFor('de').guide).toEqual(expected);
});

test.for(languages)(
  'translations: %s states for how many days a plan works while a payment is overdue',
  async (language) => {
    await readLanguage(language);
    const overdueText = translationsFor(language).errors('payment_overdue');
    expect(overdueText).toMatch(new RegExp(`\\b${graceDays}\\b|${graceDays}일`));
    expect(overdueText).not.toContain('{{');
  },
);
