import { expect, test } from 'vitest';
import { translator } from '../../../../worker/content/rules/translator.ts';

const texts = {
  title: 'Home',
  plans: {
    line: '{{price}} for {{ count }} days',
    days_one: 'a day',
    days_other: '{{count}} days',
  },
};
const t = translator(texts, 'en');

test('translations: a key gives its text with its values', () => {
  expect(t('title')).toBe('Home');
  expect(t('plans.line', { price: '$1', count: 3 })).toBe('$1 for 3 days');
  expect(t('plans.line', { price: '{{count}}', count: 3 })).toBe('{{count}} for 3 days');
});

test('translations: a count chooses the plural form, and a missing form is the general one', () => {
  expect([t('plans.days', { count: 1 }), t('plans.days', { count: 5 })]).toEqual([
    'a day',
    '5 days',
  ]);
  expect(translator(texts, 'ru')('plans.days', { count: 3 })).toBe('3 days');
});

test('translations: a key without a text is shown itself', () => {
  expect([t('plans'), t('none.of.these'), t('plans.days')]).toEqual([
    'plans',
    'none.of.these',
    'plans.days',
  ]);
});
