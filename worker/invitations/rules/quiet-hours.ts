const hour = 60 * 60_000;
/** Texts go out from the first of these hours until before the second, by the recipient's clock. */
const opens = 9;
const closes = 20;
/** Hours to look ahead: every clock on earth shows each hour within a day. */
const ahead = 48;

function hourIn(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    hourCycle: 'h23',
  });
  return Number(format.format(at));
}

/** Whether it is day in all of these zones. */
export const isDay = (zones: readonly string[], at: number): boolean =>
  zones.every((zone) => {
    const now = hourIn(zone, at);
    return now >= opens && now < closes;
  });

/**
 * When a text may go out: now, or when it is day wherever the recipient may be.
 *
 * @param zones that the number leaves open, names of the IANA database; the first counts alone where
 * they never share a day
 * @returns ms since 1970
 */
export function nextDaytime(zones: readonly string[], now: number): number {
  if (isDay(zones, now)) return now;
  const next = Math.floor(now / (hour / 4)) * (hour / 4);
  for (let quarter = 1; quarter <= ahead * 4; quarter += 1) {
    const at = next + (quarter * hour) / 4;
    if (isDay(zones, at)) return at;
  }
  return nextDaytime(zones.slice(0, 1), now);
}
