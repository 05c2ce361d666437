import { expect, test } from 'vitest';
import {
  placeholdersMatch,
  placeholdersOf,
  statesOneNumber,
} from '../../../../worker/content/rules/placeholders.ts';

test('places, links and tags are found, each once', () => {
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
])('%s in %s is for one number only: %s', (key, language, only) =>
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
])('%j stands for a text with {{price}}: %s', (text, fits) =>
  expect(placeholdersMatch(text, '{{price}}', 'plan', 'en')).toBe(fits),
);

test('a number may be said in words where the form is for it alone', () => {
  expect(placeholdersMatch('einen Tag', '{{count}} Tage', 'days_one', 'de')).toBe(true);
  expect(placeholdersMatch('день', '{{count}} дней', 'days_one', 'ru')).toBe(false);
});
