export const timeZones = [
  ...['UTC', 'America/Los_Angeles', 'America/Denver', 'America/Chicago', 'America/New_York'],
  ...['America/Mexico_City', 'America/Sao_Paulo', 'Europe/London', 'Europe/Berlin'],
  ...['Europe/Athens', 'Asia/Dubai', 'Asia/Kolkata', 'Asia/Bangkok', 'Asia/Shanghai'],
  ...['Asia/Tokyo', 'Australia/Sydney', 'Pacific/Auckland'],
] as const;

/** UTC for anything else. */
export const timeZoneOf = (text: string | undefined): string =>
  timeZones.find((zone) => zone === text) ?? 'UTC';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const clock = {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...fields, ...clock });
  formats.set(zone, format);
  return format;
}

/** Local time, such as `2026-11-22T10:30:00`. @param time ms since 1970 */
export function localTime(time: number, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const [day, clock] = [
    ['year', 'month', 'day'],
    ['hour', 'minute', 'second'],
  ].map((names) => names.map((name) => parts.get(name as Intl.DateTimeFormatPartTypes) ?? ''));
  return `${day?.join('-')}T${clock?.join(':')}`;
}

/** Offset of the zone from UTC, ms. */
const offsetAt = (time: number, zone: string) =>
  Date.parse(`${localTime(time, zone)}Z`) - (time - (time % 1000));

/** Ms since 1970; NaN for an invalid time. @param clock local time, such as 2026-11-22T10:30 */
export function timeIn(clock: string, zone: string): number {
  const time = Date.parse(`${clock}Z`);
  if (Number.isNaN(time)) return time;
  const guess = time - offsetAt(time, zone);
  // The clocks may change between the two times.
  return time - offsetAt(guess, zone);
}

/** Local midnight in ms since 1970. @param day such as 2026-11-22 */
export const startOfDay = (day: string, zone: string): number => timeIn(`${day}T00:00:00`, zone);

/** ISO 8601, such as `2026-11-22T10:30:00+01:00`. @param time ms since 1970 */
export function zonedTime(time: number, zone: string): string {
  const minutes = Math.round(offsetAt(time, zone) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const parts = [hours, rest].map((part) => String(part).padStart(2, '0'));
  return `${localTime(time, zone)}${minutes < 0 ? '-' : '+'}${parts.join(':')}`;
}
