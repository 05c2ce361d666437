import { expect, it } from 'vitest';
import { pluralOf } from '../../../islands/parts/plural.ts';

const days = { days_one: '{{count}} день', days_few: '{{count}} дня', days_many: '{{count}} дней' };

it.each([
  [1, 'день'],
  [3, 'дня'],
  [5, 'дней'],
  [7, 'дней'],
])('counts %d as Russian does', (count, form) => {
  expect(pluralOf(days, 'days', count, 'ru')).toBe(`{{count}} ${form}`);
});

it('falls back to the form for all the rest', () => {
  expect(pluralOf({ days_other: 'days' }, 'days', 1, 'en')).toBe('days');
});
