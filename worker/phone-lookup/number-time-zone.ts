/** IANA time zones of a country; empty for an unknown one. */
export function timeZonesOf(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): string[] | undefined;
    timeZones?: string[];
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Generic name, whatever the season: zones with the same name always show the same time. */
function genericName(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longGeneric' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** One of a number's possible zones, if all of them within its country show the same time; else null. */
export function timeZoneOf(zones: readonly string[], country: string | null): string | null {
  const own = country ? timeZonesOf(country) : [];
  const possible = zones.filter((zone) => own.includes(zone));
  const [first, ...others] = possible.length > 0 ? possible : zones;
  if (!first) return null;
  const name = genericName(first);
  return others.every((zone) => genericName(zone) === name) ? first : null;
}
