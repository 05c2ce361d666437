import { quantile, type VitalMetric } from '../../../analytics/rules/buckets.ts';
import type { StepValue, VitalCounts } from '../step-table.ts';

interface StepRow {
  value: string;
  arrived: number;
  continued: number;
}

export function rowsBy(dimension: StepValue['dimension'], values: readonly StepValue[]): StepRow[] {
  const rows = new Map<string, StepRow>();
  for (const each of values) {
    if (each.dimension !== dimension) continue;
    const row = rows.get(each.value) ?? { value: each.value, arrived: 0, continued: 0 };
    if (each.step === 'screen__load') row.arrived += each.visits;
    if (each.step === 'button__continue') row.continued += each.visits;
    rows.set(each.value, row);
  }
  return [...rows.values()]
    .filter(({ arrived, continued }) => arrived + continued > 0)
    .sort((a, b) => b.arrived - a.arrived || a.value.localeCompare(b.value));
}

export const visitsWith = (step: string, values: readonly StepValue[]): number =>
  values.reduce(
    (sum, each) => (each.dimension === 'device' && each.step === step ? sum + each.visits : sum),
    0,
  );

interface VitalLimit {
  name: string;
  /** Up to `good` a value is good, above `poor` it is poor; in ms, `cls` without unit. */
  good: number;
  poor: number;
}

/** https://web.dev/articles/vitals and https://web.dev/articles/ttfb; a tap's are those of INP. */
const limits: Record<VitalMetric, VitalLimit> = {
  lcp: { name: 'Largest paint', good: 2500, poor: 4000 },
  fcp: { name: 'First paint', good: 1800, poor: 3000 },
  inp: { name: 'Response to input', good: 200, poor: 500 },
  ttfb: { name: 'First byte', good: 800, poor: 1800 },
  cls: { name: 'Layout shift', good: 0.1, poor: 0.25 },
  tap_to_screen: { name: 'Tap to next screen', good: 200, poor: 500 },
};

interface VitalRow {
  name: string;
  /** At most this value in three of four visits. */
  p75: string;
  count: number;
  verdict: 'good' | 'needs improvement' | 'poor';
}

/** A long time in seconds. */
function valueText(metric: VitalMetric, value: number): string {
  if (metric === 'cls') return value.toFixed(2);
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

export function vitalRows(all: readonly VitalCounts[]): VitalRow[] {
  return (Object.keys(limits) as VitalMetric[]).flatMap((metric) => {
    const counts = all.find((each) => each.metric === metric)?.counts ?? [];
    const value = quantile(metric, counts, 0.75);
    if (value === null) return [];
    const { name, good, poor } = limits[metric];
    const verdict = value <= good ? 'good' : value <= poor ? 'needs improvement' : 'poor';
    return [
      {
        name,
        p75: valueText(metric, value),
        count: counts.reduce((sum, count) => sum + count, 0),
        verdict,
      },
    ];
  });
}
