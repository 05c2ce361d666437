import * as v from 'valibot';
import { typedKeys } from '../../../platform/keys.ts';
import { jsonIn } from '../../../platform/read-json.ts';
import { metricNames } from './results.ts';
import type { Plan } from './verdict.ts';

const metric = v.picklist(typedKeys(metricNames));

const schema = v.object({
  experiments: v.array(
    v.object({
      id: v.string(),
      metric,
      secondary: v.optional(v.array(metric), []),
      winner: v.optional(v.string()),
      ends: v.optional(v.string()),
      variants: v.array(v.object({ key: v.string(), weight: v.number() })),
    }),
  ),
});

export interface PlannedTest {
  variants: { key: string; weight: number; flow: string }[];
  plan: Plan & { isOver: boolean };
}

/** Null for the split, and for an experiment that is no longer in the document. @param text of `experiments.json` */
export function plannedTest(
  text: string | null | undefined,
  id: string,
  now: number,
): PlannedTest | null {
  const { success, output } = v.safeParse(schema, jsonIn(text));
  const found = success ? output.experiments.find((each) => each.id === id) : undefined;
  if (!found) return null;
  const { winner, ends, secondary } = found;
  const isOver = winner !== undefined || (ends !== undefined && Date.parse(ends) <= now);
  return {
    variants: found.variants.map((each) => ({ ...each, flow: '' })),
    plan: { metric: found.metric, secondary, isOver },
  };
}
