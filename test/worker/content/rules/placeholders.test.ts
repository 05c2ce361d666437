import { expect, test } from 'vitest';
import {
  placeholdersMatch,
  placeholdersOf,
  statesOneNumber,
} from '../../../../worker/content/rules/placeholders.ts';

test('text placeholders: variables, links and tags are found once each', () => {
  expect(placeholdersOf('{{b}} [our terms](terms) {{ a }} [refunds] <b>x</b> {{b}}')).toEqual([
    '</b>',
    '<b>',
    '[](terms)',
    '[refunds]',
    '{{a}}',
    '{{b}}',
  ]);
});

test.each([
  ['days_one', 'de', true],
  ['days_one', 'fr', true],
  ['days_one', 'ru', false],
  ['days_one', 'pl', true],
  ['days_two', 'ar', true],
  ['days_few', 'ru', false],
  ['days_other', 'ja', false],
  ['days', 'de', false],
])('text placeholders: %s in %s covers one number: %s', (key, language, only) =>
  expect(statesOneNumber(key, language)).toBe(only),
);

test.each([
  ['{{price}} a month', true],
  ['{{ price }} im Monat', true],
  ['a month', false],
  ['{{preis}} im Monat', false],
  ['{{price}} <b>now</b>', false],
  ['{{price}} [terms]', false],
  ['{{price}} {{-price}}', false],
  ['{{price}} }}', false],
  ['{{price}} $t(common.terms)', false],
])('text placeholders: %j may replace a text with {{price}}: %s', (text, fits) =>
  expect(placeholdersMatch(text, '{{price}}', 'plan', 'en')).toBe(fits),
);

test('text placeholders: a plural form of one number may spell it out', () => {
  expect(placeholdersMatch('einen Tag', '{{count}} Tage', 'days_one', 'de')).toBe(true);
  expect(placeholdersMatch('день', '{{count}} дней', 'days_one', 'ru')).toBe(false);
});
