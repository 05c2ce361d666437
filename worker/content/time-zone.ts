/** What Intl says of names it knows, since asking is dear; spellings are many, so it is emptied when full. */
const zones = new Map<string, string>();
const mostZones = 1000;

/** A time zone that Intl knows; UTC for any other. */
export function knownTimeZone(name = 'UTC'): string {
  const known = zones.get(name);
  if (known) return known;
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    if (zones.size >= mostZones) zones.clear();
    zones.set(name, zone);
    return zone;
  } catch {
    return 'UTC';
  }
}
