import { localTime, startOfDay } from './time-zone.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

export const periods = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const;

type PeriodName = keyof typeof periods;

export interface ReportPeriod {
  /** Such as `30d`, or `custom`. */
  name: PeriodName | 'custom';
  /** Ms since 1970; the end is not included. */
  from: number;
  to: number;
  /** The start of each point of a chart, ms since 1970. */
  times: readonly number[];
  step: 'hour' | 'day';
  /** The unit of the counts: hours, or UTC days. */
  unit: 'hour' | 'day';
  /** The time zone of `times`: UTC if `unit` is `day`. */
  zone: string;
}

const maxDays = 400;
/** `hours` are kept for 22 days; the oldest may be in deletion. */
const hoursReachMs = 21 * dayMs;

/** Accepts days of this century, because time zones have no local time before year 1 or after 9999. */
const isDay = (text: string | undefined): text is string =>
  /^20\d\d-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

const isName = (text: string): text is PeriodName => Object.hasOwn(periods, text);

function hoursOf(name: ReportPeriod['name'], from: number, to: number, zone: string): ReportPeriod {
  const times = Array.from({ length: (to - from) / hourMs }, (_, at) => from + at * hourMs);
  return { name, from, to, times, step: 'hour', unit: 'hour', zone };
}

/** Days of UTC if hourly counts do not reach back to the previous period. @param first such as 2026-11-22 */
function daysOf(
  name: ReportPeriod['name'],
  { first, days }: { first: string; days: number },
  zone: string,
  since: number,
): ReportPeriod {
  const isReached = startOfDay(first, zone) - days * dayMs >= since;
  const unit = zone !== 'UTC' && isReached ? 'hour' : 'day';
  const dayZone = unit === 'hour' ? zone : 'UTC';
  const times = Array.from({ length: days }, (_, at) => startOfDay(dayAfter(first, at), dayZone));
  const from = startOfDay(first, dayZone);
  const to = startOfDay(dayAfter(first, days), dayZone);
  return { name, from, to, times, step: 'day', unit, zone: dayZone };
}

/**
 * @param query `period`, or `from` and `to` as days such as 2026-11-22; 30 days without either
 * @param reachMs how far hourly counts reach back; those of money are never deleted
 */
export function reportPeriodOf(
  query: { period?: string; from?: string; to?: string },
  now: number,
  zone = 'UTC',
  reachMs = hoursReachMs,
): ReportPeriod {
  const since = now - reachMs;
  const { period = '' } = query;
  // The later day ends the period, whichever field it is in.
  const [from, to] = [query.from, query.to].sort();
  if (isDay(from) && isDay(to)) {
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    const [start, end] = [startOfDay(from, zone), startOfDay(dayAfter(from, 1), zone)];
    // For older days only the daily totals are stored.
    if (days === 1 && start - dayMs >= since) return hoursOf('custom', start, end, zone);
    if (days >= 1 && days <= maxDays) return daysOf('custom', { first: from, days }, zone, since);
  }
  const name = isName(period) ? period : '30d';
  if (name === '24h') {
    const end = now - (now % hourMs) + hourMs;
    return hoursOf('24h', end - dayMs, end, zone);
  }
  const days = periods[name];
  const lastDays = (dayZone: string) => ({
    first: dayAfter(localTime(now, dayZone).slice(0, 10), 1 - days),
    days,
  });
  const inZone = daysOf(name, lastDays(zone), zone, since);
  // The current day may differ between the zone and UTC.
  if (inZone.zone === zone) return inZone;
  return daysOf(name, lastDays('UTC'), 'UTC', since);
}

/** The last whole UTC days, without today. */
export const wholeDays = (days: number, now: number): ReportPeriod => {
  const today = new Date(now).toISOString().slice(0, 10);
  return reportPeriodOf({ from: dayAfter(today, -days), to: dayAfter(today, -1) }, now);
};

export function daysIn({
  times,
  to,
  zone,
}: ReportPeriod): { day: string; from: number; to: number }[] {
  const starts = Map.groupBy(times, (time) => localTime(time, zone).slice(0, 10));
  const days = [...starts].map(([day, [from = to]]) => ({ day, from }));
  return days.map((each, at) => ({ ...each, to: days[at + 1]?.from ?? to }));
}

/** The preceding period of the same length; it has figures only, and no chart points. */
export const previousOf = (period: ReportPeriod): ReportPeriod => ({
  ...period,
  from: period.from - (period.to - period.from),
  to: period.from,
  times: [],
});

export function timeLabel(
  time: number,
  { step, zone }: Pick<ReportPeriod, 'step' | 'zone'>,
): string {
  const text = localTime(time, zone);
  return step === 'day' ? text.slice(5, 10) : text.slice(11, 16);
}
