import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import { dayMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs, type Minor } from '../../platform/types.ts';
import {
  type Period,
  type Plan,
  type RenewingPeriod,
  renewalPrice,
  withoutReduction,
} from './plans.ts';

/** The same day in a later month, or that month's last day, in UTC. */
export function addMonths(from: number, count: number): EpochMs {
  const date = new Date(from);
  const month = date.getUTCMonth() + count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return epochMs(date.setUTCMonth(month, Math.min(date.getUTCDate(), last)));
}

/** Weeks are seven days, whatever the clocks do; other periods are months, a year of twelve. */
export const addPeriods = (from: number, period: RenewingPeriod, count: number): EpochMs =>
  period === 'week'
    ? epochMs(from + count * 7 * dayMs)
    : addMonths(from, count * monthsOfPeriod[period]);

export function firstRenewal(
  { period, introDays }: Pick<Plan, 'period' | 'introDays'>,
  from: number,
): EpochMs | null {
  if (period === 'once') return null;
  return introDays !== 0 ? epochMs(from + introDays * dayMs) : addPeriods(from, period, 1);
}

const dayOf = (at: number) => new Date(at).getUTCDate();

/** A renewal on the last day of a month, so many periods later: 28 February, then 31 March if the day is the 31st. */
export function renewalOn(at: number, period: RenewingPeriod, count: number, day: number): EpochMs {
  if (period === 'week' || dayOf(at + dayMs) !== 1) return addPeriods(at, period, count);
  const january = new Date(at).setUTCMonth(0, Math.max(dayOf(at), day));
  return addMonths(january, new Date(at).getUTCMonth() + count * monthsOfPeriod[period]);
}

export interface RenewalStep {
  amount: Minor;
  at: EpochMs;
  /** How often; for good without it. */
  times?: number;
}

/** What the renewals cost from when on. @param at the next one */
export function renewalSteps(
  plan: Pick<Plan, 'period' | 'price' | 'coupon' | 'reduction'>,
  coupon: string | null,
  at: number,
): RenewalStep[] {
  const { period, reduction } = plan;
  if (period === 'once') return [];
  const next = { amount: renewalPrice(plan, coupon), at: epochMs(at) };
  if (!reduction) return [next];
  const { renewals: times, day } = reduction;
  const amount = renewalPrice(withoutReduction(plan), coupon);
  return [
    { ...next, times },
    { amount, at: renewalOn(at, period, times, day) },
  ];
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

/** The first renewal after a purchase at `now`. @param cycle a period, or the days of an intro */
export function renewalDay(
  cycle: Period | number,
  now: number,
  language: string,
  timeZone: string,
): string {
  const isIntro = typeof cycle === 'number';
  const at = firstRenewal(
    { period: isIntro ? 'month' : cycle, introDays: isIntro ? cycle : 0 },
    now,
  );
  return at ? formatDay(at, now, language, timeZone) : '';
}

/** The day of the e-mail sent 24 hours before an intro of `introDays` ends. */
export const reminderDay = (
  introDays: number,
  now: number,
  language: string,
  timeZone: string,
): string => formatDay(now + (introDays - 1) * dayMs, now, language, timeZone);
