/** Counts by series, such as `step|signup|country|DE`. Minutes are whole minutes since 1970. */
export interface Counts {
  /** Every series with a recent count. */
  readonly series: readonly string[];
  /** The sum from `from` up to, and excluding, `to`. */
  sum(series: string, from: number, to: number): number;
  /** Counts per minute at the same hour of the same weekday, one per past week. */
  past(series: string, minute: number): readonly number[];
}

export const hourMinutes = 60;
export const weekHours = 7 * 24;
export const pastWeeks = 4;

export type SeriesCounts = Record<string, number>;

export function addTo(tally: SeriesCounts, more: SeriesCounts): void {
  for (const [series, count] of Object.entries(more)) tally[series] = (tally[series] ?? 0) + count;
}

/** The hours around a minute, with weights that add up to 1, so that the expected level does not jump at a full hour. */
function hoursAround(minute: number): [hour: number, weight: number][] {
  const hour = Math.floor(minute / hourMinutes);
  const through = (minute % hourMinutes) / hourMinutes;
  return [
    [hour - 1, (1 - through) / 2],
    [hour, 0.5],
    [hour + 1, through / 2],
  ];
}

/** Counts per minute. @param hourOf the counts of an hour since 1970; undefined before counting began */
export function pastOf(
  series: string,
  minute: number,
  hourOf: (hour: number) => SeriesCounts | undefined,
): number[] {
  const weeks = Array.from({ length: pastWeeks }, (_, at) => at + 1);
  return weeks.flatMap((week) => {
    const hours = hoursAround(minute).map(
      ([hour, weight]) => [hourOf(hour - week * weekHours), weight] as const,
    );
    if (hours.some(([tally]) => tally === undefined)) return [];
    const sum = hours.reduce(
      (total, [tally, weight]) => total + (tally?.[series] ?? 0) * weight,
      0,
    );
    return [sum / hourMinutes];
  });
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}
