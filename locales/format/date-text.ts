import { latin } from './numerals.ts';

/** The one way a language writes a clock: `4:05 PM`, `16:05`. */
const clock = { ...latin, hour: 'numeric', minute: '2-digit' } as const;

/**
 * What time it is in a zone, and what a language calls the zone: `15:45 Mitteleuropäische Zeit`.
 *
 * @param zone name of the IANA database
 * @returns null for a zone that this browser does not know
 */
export function localTime(zone: string, language: string, now = new Date()): string | null {
  try {
    const its = { ...clock, timeZone: zone, timeZoneName: 'longGeneric' } as const;
    return new Intl.DateTimeFormat(language, its).format(now);
  } catch {
    return null;
  }
}

/**
 * A time of day as a language writes it.
 *
 * @param time as `16:05`
 * @param bare whether it stands as on a phone's locked screen, without a word for the half of the day
 */
export function timeOfDay(time: string, language: string, bare = false): string {
  const written = new Intl.DateTimeFormat(language, { ...clock, timeZone: 'UTC' });
  const parts = written.formatToParts(new Date(`2000-01-01T${time}Z`));
  const shown = bare ? parts.filter(({ type }) => type !== 'dayPeriod') : parts;
  return shown
    .map(({ value }) => value)
    .join('')
    .trim();
}

/** Day and time, by this device's clock. @param at ms since 1970 @param language BCP 47 */
export const momentText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'medium', timeStyle: 'short' }).format(
    at,
  );

/** A distance in metres as a language says it. */
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
