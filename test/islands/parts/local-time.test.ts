import { expect, it } from 'vitest';
import { localTime } from '../../../islands/parts/local-time.ts';

const november = new Date('2026-11-21T14:45:00Z');

it.each([
  ['America/New_York', 'en', 'Eastern Time, 9:45 AM'],
  ['Europe/Berlin', 'de', 'Mitteleuropäische Zeit, 15:45'],
  ['Asia/Calcutta', 'en', 'India Standard Time, 8:15 PM'],
])('%s in %s: %s', (zone, language, said) => {
  expect(localTime(zone, language, november)?.replace(/\s/g, ' ')).toBe(said);
});

it('says nothing of a zone that nobody knows', () => {
  expect(localTime('Mars/Olympus', 'en')).toBeNull();
});
