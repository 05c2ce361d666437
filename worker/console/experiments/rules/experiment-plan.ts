import type { Documents } from '../../../documents/document-set.ts';
import { validateDocuments } from '../../../experiments/rules/config-validation.ts';
import { stateOf } from '../../../experiments/rules/experiment-arms.ts';
import type { Experiment } from '../../../experiments/rules/experiments-schema.ts';
import type { Plan } from './verdict.ts';

/** Beside the split; none of documents that cannot be read. */
export const experimentsIn = (documents: Documents): readonly Experiment[] =>
  validateDocuments(documents).set?.experiments.experiments ?? [];

export interface PlannedTest {
  variants: { key: string; weight: number; flow: string }[];
  plan: Plan & { isOver: boolean };
}

export const plannedTest = (experiment: Experiment, now: number): PlannedTest => ({
  variants: experiment.variants.map(({ key, weight, changes }) => ({
    key,
    weight,
    flow: changes.flow ?? '',
  })),
  plan: {
    metric: experiment.metric,
    secondary: experiment.secondary ?? [],
    isOver: stateOf(experiment, now) === 'ended',
  },
});

/** In words for the list; `stopped` without a variant that new visitors can get beside the control. */
export function stateWord(experiment: Experiment, now: number): string {
  const state = stateOf(experiment, now);
  const isStopped = !experiment.variants.some(({ weight }, at) => at > 0 && weight > 0);
  return state === 'running' && (isStopped || experiment.share === 0) ? 'stopped' : state;
}
