import { dayMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs } from '../../platform/types.ts';
import { monthsOfPeriod, type Plan, type PlanFamily, planOf, type Renewals } from './plans.ts';

/** The same day in a later month, or that month's last day, in UTC. */
export function addMonths(from: number, count: number): EpochMs {
  const date = new Date(from);
  const month = date.getUTCMonth() + count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return epochMs(date.setUTCMonth(month, Math.min(date.getUTCDate(), last)));
}

export function firstRenewal(
  { period, introDays }: Pick<Plan, 'period' | 'introDays'>,
  from: number,
): EpochMs | null {
  if (period === 'once') return null;
  return introDays !== 0
    ? epochMs(from + introDays * dayMs)
    : addMonths(from, monthsOfPeriod[period]);
}

/** A day for visitors: `27 November`, with the year if it is not the current one. */
export function formatDay(at: number, now: number, language: string, timeZone: string): string {
  const year = (ms: number) =>
    new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(ms);
  return new Intl.DateTimeFormat(language, {
    timeZone,
    day: 'numeric',
    month: 'long',
    ...(year(at) !== year(now) && { year: 'numeric' }),
  }).format(at);
}

type Cycle = Exclude<keyof Renewals, `reminder${number}`>;

const families: Record<Cycle, PlanFamily> = {
  month: 'monthly',
  quarter: 'quarterly',
  3: 'monthly_3d',
  5: 'monthly_5d',
  7: 'monthly_7d',
};

export function renewalDay(cycle: Cycle, now: number, language: string, timeZone: string): string {
  const at = firstRenewal(planOf(families[cycle], 'USD'), now);
  return at ? formatDay(at, now, language, timeZone) : '';
}

/** The day of the e-mail sent 24 hours before an intro of `introDays` ends. */
export function reminderDay(
  introDays: 3 | 5 | 7,
  now: number,
  language: string,
  timeZone: string,
): string {
  return formatDay(now + (introDays - 1) * dayMs, now, language, timeZone);
}
