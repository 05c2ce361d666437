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
    return null; // This browser does not know the zone.
  }
}

/** The time in a zone; null for an unknown one. */
export function clockIn(timeZone: string, language: string, now = new Date()): string | null {
  try {
    return new Intl.DateTimeFormat(language, { ...clock, timeZone }).format(now);
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

/** No line ends within a day, a time, or a number with its unit. */
const whole = (words: string): string => words.replace(/ /g, '\u00a0');

/**
 * Day and time in this device's time zone, `November 8 at 9:05 AM`: within a month, so no year.
 * @param at ms since 1970 @param language BCP 47
 */
export const momentText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, { ...clock, day: 'numeric', month: 'long' })
    .formatToParts(at)
    // Only a word between day and time, such as ` at `, is preceded by a break.
    .map(({ value }) => (/^ .+ $/.test(value) ? ` ${whole(value.slice(1))}` : whole(value)))
    .join('');

/** A moment that stands alone, not in a sentence. @param at ms since 1970 */
export const stampText = (at: number, language: string): string =>
  momentText(at, language) + (language === 'de' ? '\u00a0Uhr' : '');

/** The time in this device's time zone, `9:05 AM`. @param at ms since 1970 */
export const clockText = (at: number, language: string): string =>
  whole(new Intl.DateTimeFormat(language, clock).format(at));

/** The day in this device's time zone, `November 8`. @param at ms since 1970 */
export const dayText = (at: number, language: string): string =>
  whole(new Intl.DateTimeFormat(language, { ...latin, day: 'numeric', month: 'long' }).format(at));

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** The time and how long ago, `9:05 AM · 2 minutes ago`; a day and time after 24 hours. @param at ms since 1970 */
export function agoText(at: number, language: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - at) / minuteMs));
  if (minutes >= dayMinutes) return momentText(at, language);
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: 'auto' });
  const [passed, unit] =
    minutes === 0
      ? ([0, 'second'] as const)
      : minutes < 60
        ? ([-minutes, 'minute'] as const)
        : ([-Math.floor(minutes / 60), 'hour'] as const);
  const time = clockText(at, language) + (language === 'de' ? '\u00a0Uhr' : '');
  return `${time} · ${whole(format.format(passed, unit))}`;
}

/** In how long, `in 30 seconds`. */
export function untilText(waitMs: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`);
  const minutes = Math.ceil(waitMs / minuteMs);
  if (minutes <= 1) return format.format(Math.ceil(waitMs / 1000), 'second');
  return minutes <= 60
    ? format.format(minutes, 'minute')
    : format.format(Math.ceil(minutes / 60), 'hour');
}

/** Metres below 1 km, else kilometres; feet and miles on an American device. */
export function distanceText(metres: number, language: string): string {
  const american = globalThis.navigator?.language === 'en-US' && language === 'en';
  const [unit, long, short] = american
    ? (['mile', 1609.344, 0.3048] as const)
    : (['kilometer', 1000, 1] as const);
  const far = metres >= long * (american ? 0.2 : 1);
  const near = american ? 'foot' : 'meter';
  const number = new Intl.NumberFormat(language, {
    ...latin,
    style: 'unit',
    unit: far ? unit : near,
    unitDisplay: 'long',
    ...(american ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 }),
  });
  return whole(number.format(metres / (far ? long : short)));
}
