/**
 * What a time zone is called in a language, and its time: `Central European Time, 15:45`.
 *
 * @param zone name of the IANA database
 * @returns null for a zone that this browser does not know
 */
export function localTime(zone: string, language: string, now = new Date()): string | null {
  try {
    const named = new Intl.DateTimeFormat(language, {
      timeZone: zone,
      timeZoneName: 'longGeneric',
    }).formatToParts(now);
    const name = named.find(({ type }) => type === 'timeZoneName')?.value;
    const time = new Intl.DateTimeFormat(language, { timeZone: zone, timeStyle: 'short' });
    const parts = [name, time.format(now)].filter((part): part is string => !!part);
    return new Intl.ListFormat(language, { type: 'unit' }).format(parts);
  } catch {
    return null;
  }
}
