/** A week has no months: it is seven days. */
export const monthsOfPeriod = {
  week: 0,
  month: 1,
  quarter: 3,
  half_year: 6,
  year: 12,
  once: 0,
} as const;
