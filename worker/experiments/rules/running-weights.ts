import * as v from 'valibot';
import { parsedAs } from '../../platform/read-json.ts';
import { holdoutName, holdoutVariants } from './holdout.ts';

const instant = v.pipe(v.string(), v.isoTimestamp());
const time = v.optional(instant);
const stopped = v.optional(v.object({ at: v.string(), guardrail: v.string() }));
const variants = v.array(v.object({ key: v.string(), weight: v.number(), stopped }));
const split = v.object({ experiment: v.string(), variants });

const schema = v.object({
  holdout: v.optional(v.object({ share: v.number(), starts: instant, ends: instant })),
  experiments: v.array(
    v.object({
      id: v.string(),
      starts: time,
      ends: time,
      winner: v.optional(v.string()),
      variants,
    }),
  ),
});

export interface RunningWeights {
  experiment: string;
  weights: Record<string, number>;
}

/** Of the experiments beside the split that run now; none in a text that is not valid. @param text of `experiments.json` */
export function runningWeights(text: string | null | undefined, now: number): RunningWeights[] {
  const { experiments = [], holdout } = parsedAs(schema, text) ?? {};
  const period = holdout && {
    ...{ id: holdoutName(holdout), starts: holdout.starts, ends: holdout.ends },
    variants: holdoutVariants(holdout),
    winner: undefined,
  };
  return [...experiments, ...(period ? [period] : [])]
    .filter(({ starts, ends, winner }) => {
      const isStarted = !starts || Date.parse(starts) <= now;
      return winner === undefined && isStarted && (!ends || now < Date.parse(ends));
    })
    .map(({ id, variants }) => ({
      experiment: id,
      weights: Object.fromEntries(variants.map(({ key, weight }) => [key, weight])),
    }));
}

export interface StoppedArm {
  experiment: string;
  variant: string;
  guardrail: string;
  /** Ms since 1970. */
  at: number;
}

/** Arms that a guardrail stopped and that nobody started again. @param documents texts of `config.json` and `experiments.json` */
export function stoppedArms(documents: Readonly<Record<string, string | null>>): StoppedArm[] {
  const { experiment = '', variants = [] } = parsedAs(split, documents['config.json']) ?? {};
  const { experiments = [] } = parsedAs(schema, documents['experiments.json']) ?? {};
  return [{ id: experiment, variants }, ...experiments].flatMap(({ id, variants }) =>
    variants.flatMap(({ key, weight, stopped }) =>
      stopped && weight === 0
        ? [
            {
              experiment: id,
              variant: key,
              guardrail: stopped.guardrail,
              at: Date.parse(stopped.at),
            },
          ]
        : [],
    ),
  );
}
