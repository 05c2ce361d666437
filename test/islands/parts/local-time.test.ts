import { expect, it } from 'vitest';
import { localTime } from '../../../islands/parts/local-time.ts';

const november = new Date('2026-11-21T14:45:00Z');

it.each([
  ['America/New_York', 'en', '9:45 AM Eastern Time'],
  ['Europe/Berlin', 'de', '15:45 Mitteleuropäische Zeit'],
  ['America/New_York', 'es', '9:45 hora oriental'],
  ['Asia/Calcutta', 'en', '8:15 PM India Standard Time'],
])('%s in %s: %s', (zone, language, said) => {
  expect(localTime(zone, language, november)?.replace(/\s/g, ' ')).toBe(said);
});

it('says nothing of a zone that nobody knows', () => {
  expect(localTime('Mars/Olympus', 'en')).toBeNull();
});
