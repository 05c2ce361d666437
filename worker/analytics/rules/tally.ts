import { testPrefix } from '../../experiments/rules/arms.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { typedKeys } from '../../platform/keys.ts';
import { bucketCount, histogramBucket } from './buckets.ts';
import { type Count, type Segment, segmentNames } from './count.ts';

const fiveMinutesMs = 5 * minuteMs;

export const hourOf = (at: number): number => at - (at % hourMs);

/** Entries that an older build stored have no landing. */
const segmentKey = (segment: Partial<Segment>): string =>
  JSON.stringify(segmentNames.map((name) => segment[name] ?? ''));

/** A visit counts once for each of these in an hour, whatever the order in which its events come. */
export function visitKey({ at, step, screen, bucket, slice, visit }: Count): string | null {
  if (visit === undefined) return null;
  return JSON.stringify([hourOf(at), step, screen, bucket, segmentKey(slice), visit]);
}

/** Rows to add to the tables: key columns first, sums last. */
export interface Tally {
  segments: Map<string, Segment>;
  hours: Row[];
  fiveMinutes: Row[];
  payments: Row[];
  vitals: Row[];
}

type Row = (string | number)[];

class Sums {
  readonly #rows = new Map<string, { key: Row; sums: number[] }>();

  add(key: Row, sums: number[]): void {
    const name = JSON.stringify(key);
    const known = this.#rows.get(name);
    if (!known) this.#rows.set(name, { key, sums: [...sums] });
    else for (const [at, sum] of sums.entries()) known.sums[at] = (known.sums[at] ?? 0) + sum;
  }

  rows(): Row[] {
    return [...this.#rows.values()].map(({ key, sums }) => [...key, ...sums]);
  }
}

const oneIn = (bucket: number) =>
  Array.from({ length: bucketCount }, (_, at) => (at === bucket ? 1 : 0));

/** @param isNewVisit whether the visit with this key was not counted before */
export function tallyOf(
  counts: readonly Count[],
  isNewVisit: (key: string, hour: number) => boolean,
): Tally {
  const segments = new Map<string, Segment>();
  const [hours, fiveMinutes, payments, vitals] = [new Sums(), new Sums(), new Sums(), new Sums()];
  for (const count of counts) {
    const { at, step, screen, bucket, slice: segment, version, provider, payment } = count;
    const hour = hourOf(at);
    const five = at - (at % fiveMinutesMs);
    if (step === 'web_vitals') {
      for (const metric of typedKeys(count.vitals ?? {})) {
        const measured = oneIn(histogramBucket(metric, count.vitals?.[metric] ?? 0));
        vitals.add([metric, hour, screen, segment.device, version], measured);
      }
      continue;
    }
    const key = segmentKey(segment);
    segments.set(key, segment);
    if (!step.startsWith(testPrefix))
      fiveMinutes.add([five, step, provider, payment ? segment.country : '', version], [1]);
    if (payment) {
      const { slot, plan, currency, reason, amount, squares } = payment;
      payments.add([hour, step, provider, slot, plan, currency, reason, key], [1, amount, squares]);
      continue;
    }
    const visit = visitKey(count);
    const visits = visit === null || isNewVisit(visit, hour) ? 1 : 0;
    hours.add([hour, step, screen, bucket, key], [1, visits]);
  }
  return {
    segments,
    hours: hours.rows(),
    fiveMinutes: fiveMinutes.rows(),
    payments: payments.rows(),
    vitals: vitals.rows(),
  };
}
