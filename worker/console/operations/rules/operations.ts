/** Counts by series of one hour, as the monitor returns them. */
type Tally = Readonly<Record<string, number>>;

interface CountedRow {
  /** A log line's level and event, or a blocked source's host and directive. */
  parts: [string, string];
  total: number;
  /** By hour, oldest first. */
  series: number[];
}

/** Rows of series such as `log|warn|queue_failed`, the most frequent first. */
export function countedRows(hours: readonly Tally[], prefix: 'log' | 'csp'): CountedRow[] {
  const names = new Set(hours.flatMap((tally) => Object.keys(tally)));
  return [...names]
    .filter((name) => name.startsWith(`${prefix}|`))
    .map((name) => {
      const [, one = '', two = ''] = name.split('|');
      const series = hours.map((tally) => tally[name] ?? 0);
      const parts: [string, string] = [one, two];
      return { parts, series, total: series.reduce((sum, count) => sum + count, 0) };
    })
    .sort((a, b) => b.total - a.total || a.parts.join().localeCompare(b.parts.join()));
}

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

export function durationText(ms: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(ms / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'under a minute';
}
