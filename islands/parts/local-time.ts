/**
 * What time it is in a zone, and what a language calls the zone: `15:45 Mitteleuropäische Zeit`.
 *
 * @param zone name of the IANA database
 * @returns null for a zone that this browser does not know
 */
export function localTime(zone: string, language: string, now = new Date()): string | null {
  try {
    return new Intl.DateTimeFormat(language, {
      timeZone: zone,
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'longGeneric',
    }).format(now);
  } catch {
    return null;
  }
}
