import * as v from 'valibot';
import { jsonIn } from '../../platform/read-json.ts';

const time = v.optional(v.pipe(v.string(), v.isoTimestamp()));
const schema = v.object({
  experiments: v.array(
    v.object({
      id: v.string(),
      starts: time,
      ends: time,
      winner: v.optional(v.string()),
      variants: v.array(v.object({ key: v.string(), weight: v.number() })),
    }),
  ),
});

export interface RunningWeights {
  experiment: string;
  weights: Record<string, number>;
}

/** Of the experiments beside the split that run now; none in a text that is not valid. @param text of `experiments.json` */
export function runningWeights(text: string | null | undefined, now: number): RunningWeights[] {
  const { success, output } = v.safeParse(schema, jsonIn(text));
  if (!success) return [];
  return output.experiments
    .filter(({ starts, ends, winner }) => {
      const isStarted = !starts || Date.parse(starts) <= now;
      return winner === undefined && isStarted && (!ends || now < Date.parse(ends));
    })
    .map(({ id, variants }) => ({
      experiment: id,
      weights: Object.fromEntries(variants.map(({ key, weight }) => [key, weight])),
    }));
}
