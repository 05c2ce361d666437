import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import {
  firstRenewal,
  formatDay,
  reminderDay,
  renewalDay,
} from '../../../../worker/catalog/rules/renewal-date.ts';

const renewal = (family: Parameters<typeof builtInCatalog.planOf>[0], from: string) => {
  const at = firstRenewal(builtInCatalog.planOf(family, 'USD'), Date.parse(from));
  return at === null ? null : new Date(at).toISOString().slice(0, 16);
};

test.each([
  ['monthly', '2026-01-15T10:30Z', '2026-02-15T10:30'],
  ['monthly', '2026-01-31T10:30Z', '2026-02-28T10:30'],
  ['monthly', '2028-01-30T00:00Z', '2028-02-29T00:00'],
  ['monthly', '2026-12-31T23:59Z', '2027-01-31T23:59'],
  ['quarterly', '2026-11-30T08:00Z', '2027-02-28T08:00'],
  ['quarterly', '2027-11-30T08:00Z', '2028-02-29T08:00'],
  ['upsell_quarterly_799', '2026-05-31T08:00Z', '2026-08-31T08:00'],
  ['monthly_7d', '2026-02-25T08:00Z', '2026-03-04T08:00'],
  ['monthly_5d', '2026-12-30T08:00Z', '2027-01-04T08:00'],
  ['monthly_3d', '2028-02-27T08:00Z', '2028-03-01T08:00'],
] as const)('renewal date: %s bought at %s renews first at %s', (family, from, first) => {
  expect(renewal(family, from)).toBe(first);
});

test('renewal date: a plan without an intro renews after its period', () =>
  expect(firstRenewal({ period: 'month', introDays: 0 }, 0)).toBe(31 * 86_400_000));

test('renewal date: the e-mail is announced for the day before the intro ends', () => {
  const sold = Date.parse('2026-11-20T23:30Z');
  const days = ([3, 5, 7] as const).map((intro) => reminderDay(intro, sold, 'en', 'UTC'));
  expect(days).toEqual(['November 22', 'November 24', 'November 26']);
});

test('renewal date: a one-time purchase never renews', () =>
  expect(renewal('guide_1799', '2026-01-15T10:30Z')).toBeNull());

const now = Date.parse('2026-11-20T23:30Z');

test.each([
  [7, 'en', 'UTC', 'November 27'],
  [7, 'en-GB', 'UTC', '27 November'],
  [7, 'de', 'UTC', '27. November'],
  [7, 'en', 'Asia/Tokyo', 'November 28'],
  [5, 'en', 'UTC', 'November 25'],
  [3, 'en', 'UTC', 'November 23'],
  ['month', 'en', 'UTC', 'December 20'],
  ['quarter', 'en', 'UTC', 'February 20, 2027'],
] as const)('renewal date: %s in %s, %s is written %s', (cycle, language, zone, day) => {
  expect(renewalDay(cycle, now, language, zone)).toBe(day);
});

test('renewal date: the year is written when it is not the current one', () => {
  const eve = Date.parse('2026-12-31T12:00Z');
  expect(formatDay(eve, eve, 'en', 'UTC')).toBe('December 31');
  expect(formatDay(eve + 86_400_000, eve, 'en', 'UTC')).toBe('January 1, 2027');
});
