import { latin } from './numerals.ts';

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
