const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

export const periods = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const;

type PeriodName = keyof typeof periods;

export interface Period {
  /** Such as `30d`, or `custom`. */
  name: PeriodName | 'custom';
  /** Ms since 1970, UTC; the end is not included. */
  from: number;
  to: number;
  /** Length of one point of a chart. */
  stepMs: number;
}

const maxDays = 400;

const dayOf = (text: string | undefined) =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;

const isName = (text: string): text is PeriodName => Object.hasOwn(periods, text);

/** @param query `period`, or `from` and `to` as days such as 2026-11-22; 30 days when it names none */
export function periodOf(
  query: { period?: string; from?: string; to?: string },
  now: number,
): Period {
  const [from, last] = [dayOf(query.from), dayOf(query.to)];
  const days = (last - from) / dayMs + 1;
  if (days >= 1 && days <= maxDays) {
    return { name: 'custom', from, to: last + dayMs, stepMs: days === 1 ? hourMs : dayMs };
  }
  const name = isName(query.period ?? '') ? (query.period as PeriodName) : '30d';
  const stepMs = name === '24h' ? hourMs : dayMs;
  const to = now - (now % stepMs) + stepMs;
  return { name, from: to - periods[name] * dayMs, to, stepMs };
}

/** The period of the same length before it. */
export const previousOf = (period: Period): Period => ({
  ...period,
  from: period.from - (period.to - period.from),
  to: period.from,
});

/** The start of each step of a period. */
export const timesOf = ({ from, to, stepMs }: Period): number[] =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, at) => from + at * stepMs);
