import { dayMs } from '../../platform/durations.ts';

/** The first days after a sign-up whose revenue is summed apart. */
export const cohortDays = [7, 30, 90] as const;

const nameOf = (days: number) => `d${days}`;

/** Each movement is in the shortest span alone. @param ageMs since the sign-up @returns null after 90 days */
export function cohortOf(ageMs: number): string | null {
  const days = cohortDays.find((each) => ageMs < each * dayMs);
  return days === undefined ? null : nameOf(days);
}

/** The names whose movements add up to the first days. */
export const cohortsWithin = (days: number): string[] =>
  cohortDays.filter((each) => each <= days).map(nameOf);
