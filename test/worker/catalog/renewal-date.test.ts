import { expect, test } from 'vitest';
import { formatDay, renewalDay } from '../../../worker/catalog/renewal-date.ts';

const now = Date.parse('2026-11-20T23:30Z');

test.each([
  ['7', 'en', 'UTC', 'November 27'],
  ['7', 'en-GB', 'UTC', '27 November'],
  ['7', 'de', 'UTC', '27. November'],
  ['7', 'en', 'Asia/Tokyo', 'November 28'],
  ['5', 'en', 'UTC', 'November 25'],
  ['3', 'en', 'UTC', 'November 23'],
  ['m', 'en', 'UTC', 'December 20'],
  ['q', 'en', 'UTC', 'February 20, 2027'],
  ['x', 'en', 'UTC', ''],
])('%s in %s, %s', (letter, language, zone, day) => {
  expect(renewalDay(letter, now, language, zone)).toBe(day);
});

test('the year is told where it is not the visitor’s own', () => {
  const eve = Date.parse('2026-12-31T12:00Z');
  expect(formatDay(eve, eve, 'en', 'UTC')).toBe('December 31');
  expect(formatDay(eve + 86_400_000, eve, 'en', 'UTC')).toBe('January 1, 2027');
});
