import { latin } from './numerals.ts';

const clock = { ...latin, hour: 'numeric', minute: '2-digit' } as const;

/** Characters that stand beside a label on a phone. */
const longest = 28;

/** Before an offset's sign that follows Arabic letters: else the sign stands behind the number. */
const beforeSign = /(\p{Script=Arabic})(?=[+-]\d)/u;

/** Some browsers have no Arabic name of the city; then the offset stands for it. */
const latinInArabic = /\p{Script=Arabic}.*\p{Script=Latin}/u;

/** Arabic says of which continent the Eastern, Central or Mountain Time is. */
const continent = ' لأمريكا الشمالية';

/** German writes a city and that it stands for its local time. */
const germanCity = /^(\S+) (.+) \(Ortszeit\)$/;

/** The time in a zone, with the zone's name, or a short one (country, city or abbreviation), or else its offset. */
export function localTime(zone: string, language: string, now = new Date()): string | null {
  const written = (timeZoneName: 'longGeneric' | 'shortGeneric' | 'shortOffset') =>
    new Intl.DateTimeFormat(language, { ...clock, timeZone: zone, timeZoneName }).format(now);
  try {
    const named = [
      written('longGeneric').replace(continent, ''),
      written('shortGeneric').replace(germanCity, '$1 ($2)'),
    ];
    const fits = (name: string) => name.length <= longest && !latinInArabic.test(name);
    return (named.find(fits) ?? written('shortOffset')).replace(beforeSign, '$1\u00a0\u200e');
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
