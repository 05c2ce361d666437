import type { Plan } from '../plans.ts';

const day = 24 * 60 * 60_000;
const months = { month: 1, quarter: 3 } as const;

/** The same day of a later month, or its last day where it is shorter; ms since 1970, UTC. */
function addMonths(from: number, count: number): number {
  const date = new Date(from);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.getTime();
}

/**
 * When the first renewal of a plan is due that is bought now: after the intro's days, or after its
 * months; null for what is paid once.
 *
 * @param from ms since 1970
 */
export function firstRenewal(
  { period, trialDays }: Pick<Plan, 'period' | 'trialDays'>,
  from: number,
): number | null {
  if (period === 'once') return null;
  return trialDays > 0 ? from + trialDays * day : addMonths(from, months[period]);
}
