import { expect, it, vi } from 'vitest';
import { localTime, timeOfDay, untilText } from '../../../locales/format/date-text.ts';

const november = new Date('2026-11-21T14:45:00Z');

it.each([
  ['America/New_York', 'en', '9:45 AM Eastern Time'],
  ['Europe/Berlin', 'de', '15:45 Mitteleuropäische Zeit'],
  ['America/New_York', 'es', '9:45 hora oriental'],
  ['Asia/Calcutta', 'en', '8:15 PM India Standard Time'],
  ['Europe/Berlin', 'ar', '3:45 م توقيت وسط أوروبا'],
  ['America/New_York', 'de', '09:45 (New York)'],
  ['America/New_York', 'ar', '9:45 ص التوقيت الشرقي'],
  ['America/Kentucky/Monticello', 'de', '09:45 (Monticello, Kentucky)'],
  ['America/Blanc-Sablon', 'ar', '10:45 ص توقيت بلانك-سابلون'],
  ['Etc/GMT+3', 'ar', '11:45 ص غرينتش \u200e-03:00'],
])('time of day: %s in %s: %s', (zone, language, text) => {
  expect(localTime(zone, language, november)?.replace(/\s/g, ' ')).toBe(text);
});

it.each([
  ['16:05', 'en', '4:05 PM', '4:05'],
  ['08:12', 'en', '8:12 AM', '8:12'],
  ['16:05', 'de', '16:05', '16:05'],
  ['16:05', 'ar', '4:05 م', '4:05'],
])('local time: %s in %s is written as in the lookup: %s', (time, language, whole, bare) => {
  expect(timeOfDay(time, language).replace(/\s/g, ' ')).toBe(whole);
  expect(timeOfDay(time, language, true)).toBe(bare);
});

it('local time: without an Arabic name of the zone, its offset', () => {
  vi.stubGlobal('Intl', {
    DateTimeFormat: class {
      format: () => string;
      constructor(_: string, { timeZoneName }: Intl.DateTimeFormatOptions) {
        const zone = timeZoneName === 'shortOffset' ? 'غرينتش-5' : 'توقيت New York';
        this.format = () => `9:45 ص ${zone}`;
      }
    },
  });
  const text = localTime('America/New_York', 'ar', november);
  vi.unstubAllGlobals();
  expect(text).toBe('9:45 ص غرينتش\u00a0\u200e-5');
});

it('local time: an unknown zone is empty', () => {
  expect(localTime('Mars/Olympus', 'en')).toBeNull();
});

it.each([
  [0, 'en', 'in 0 seconds'],
  [29_001, 'en', 'in 30 seconds'],
  [60_000, 'de', 'in 60 Sekunden'],
  [60_001, 'de', 'in 2 Minuten'],
  [14.5 * 60_000, 'ar', 'خلال 15 دقيقة'],
  [20.5 * 60 * 60_000, 'en', 'in 21 hours'],
])('time until: %i ms in %s: %s', (waitMs, language, text) => {
  expect(untilText(waitMs, language)).toBe(text);
});
