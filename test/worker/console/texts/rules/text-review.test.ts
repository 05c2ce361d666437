import { expect, test } from 'vitest';
import {
  longestPart,
  outdatedLanguages,
  wordChanges,
} from '../../../../../worker/console/texts/rules/text-review.ts';
import { languageTexts } from './language-texts.ts';

const languages = [
  languageTexts('en', { a: 'Know', b: 'Terms' }, { b: 'Our terms' }),
  languageTexts('de', { a: 'Wissen', b: 'AGB' }),
  languageTexts('fr', { a: 'Savoir' }),
  languageTexts('ja', { b: '規約' }),
];
const changesTo = (next: Record<string, Record<string, string>>) =>
  wordChanges(languages, (tag) => next[tag] ?? {});

test('console texts: a review shows the current text beside the new one', () => {
  expect(changesTo({ en: { a: 'See', b: 'Our terms' }, de: { a: 'Wissen' } })).toEqual([
    { tag: 'en', key: 'a', before: 'Know', after: 'See' },
  ]);
  expect(changesTo({})).toEqual([{ tag: 'en', key: 'b', before: 'Our terms', after: 'Terms' }]);
});

test('console texts: a review lists the languages whose translation is now outdated', () => {
  const behind = (next: Parameters<typeof changesTo>[0]) =>
    outdatedLanguages(languages, changesTo(next));
  const same = { b: 'Our terms' };
  // Japanese has no translation of it, so its visitors read the new English.
  expect(behind({ en: { a: 'See', ...same } })).toEqual(['de', 'fr']);
  expect(behind({ en: { a: 'See', ...same }, de: { a: 'Sehen' } })).toEqual(['fr']);
  expect(behind({ en: same, de: { a: 'Sehen' } })).toEqual([]);
});

test('console texts: a preview looks for the longest part that has no placeholder or markup', () => {
  expect(longestPart('Pay {{price}} now, {{name}}')).toBe('now,');
  expect(longestPart('First{{name}}Later')).toBe('First');
  expect(longestPart('I accept the [terms](terms) <b>all</b>')).toBe('I accept the');
});
