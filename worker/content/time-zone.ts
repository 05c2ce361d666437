/** Intl is slow. Names have many spellings, so the cache is emptied when it is full. */
const zones = new Map<string, string>();
const maxZones = 1000;

export function knownTimeZone(name = 'UTC'): string {
  if (name === 'UTC') return name;
  const cached = zones.get(name);
  if (cached) return cached;
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    if (zones.size >= maxZones) zones.clear();
    zones.set(name, zone);
    return zone;
  } catch {
    return 'UTC'; // No zone has this name.
  }
}
