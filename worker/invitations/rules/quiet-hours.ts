import { dayMs, hourMs } from '../../platform/durations.ts';

/** SMS are sent from 9:00 until before 20:00 of the invitee's local time. */
const startHour = 9;
const endHour = 20;
const quarterMs = hourMs / 4;

function hourIn(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    hourCycle: 'h23',
  });
  return Number(format.format(at));
}

export const isDay = (zones: readonly string[], at: number): boolean =>
  zones.every((zone) => {
    const now = hourIn(zone, at);
    return now >= startHour && now < endHour;
  });

/** When a message waits for the morning, ms since 1970; null by day. */
export function morningFor(zones: readonly string[], now: number): number | null {
  const at = nextDaytime(zones, now);
  return at > now ? at : null;
}

/** Ms since 1970. It must be daytime in all zones; where that never happens only the first counts. */
export function nextDaytime(zones: readonly string[], now: number): number {
  if (isDay(zones, now)) return now;
  const first = Math.ceil(now / quarterMs) * quarterMs;
  for (let at = first; at <= now + dayMs; at += quarterMs) {
    if (isDay(zones, at)) return at;
  }
  return nextDaytime(zones.slice(0, 1), now);
}
