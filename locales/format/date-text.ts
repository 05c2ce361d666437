import { latin } from './numerals.ts';

const clock = { ...latin, hour: 'numeric', minute: '2-digit' } as const;

export function localTime(zone: string, language: string, now = new Date()): string | null {
  try {
    const its = { ...clock, timeZone: zone, timeZoneName: 'longGeneric' } as const;
    return new Intl.DateTimeFormat(language, its).format(now);
  } catch {
    return null;
  }
}

export function timeOfDay(time: string, language: string, bare = false): string {
  const written = new Intl.DateTimeFormat(language, { ...clock, timeZone: 'UTC' });
  const parts = written.formatToParts(new Date(`2000-01-01T${time}Z`));
  const shown = bare ? parts.filter(({ type }) => type !== 'dayPeriod') : parts;
  return shown
    .map(({ value }) => value)
    .join('')
    .trim();
}

/**
 * Day and time in this device's time zone, `November 8 at 9:05 AM`: within a month, so no year.
 * @param at ms since 1970 @param language BCP 47
 */
export const momentText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, { ...clock, day: 'numeric', month: 'long' }).format(at);

/** Metres below 1 km, else kilometres. */
export function distanceText(metres: number, language: string): string {
  const far = metres >= 1000;
  return new Intl.NumberFormat(language, {
    ...latin,
    style: 'unit',
    unit: far ? 'kilometer' : 'meter',
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(far ? metres / 1000 : metres);
}
