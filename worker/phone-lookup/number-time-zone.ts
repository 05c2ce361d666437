/** Time zones that a country has, names of the IANA database; empty for a country unknown here. */
export function zonesOf(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): string[] | undefined;
    timeZones?: string[];
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** What a zone's clock is called, whatever the season: zones of one name show one time. */
function nameOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longGeneric' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/**
 * The one time zone among those that a number's beginning leaves open: that of its country, or any
 * when all of them show the same time. Null when it stays open.
 */
export function zoneOf(zones: readonly string[], country: string | null): string | null {
  const own = country ? zonesOf(country) : [];
  const possible = zones.filter((zone) => own.includes(zone));
  const [first, ...others] = possible.length > 0 ? possible : zones;
  if (!first) return null;
  const name = nameOf(first);
  return others.every((zone) => nameOf(zone) === name) ? first : null;
}
