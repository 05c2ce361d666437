import type { Documents } from '../../../documents/document-set.ts';
import { validateDocuments } from '../../../experiments/rules/config-validation.ts';
import { stateOf } from '../../../experiments/rules/experiment-arms.ts';
import type {
  Experiment,
  ExperimentVariant,
  Holdout,
} from '../../../experiments/rules/experiments-schema.ts';
import { holdoutState, holdoutVariants } from '../../../experiments/rules/holdout.ts';
import type { Variant } from '../../../experiments/rules/split.ts';
import type { Plan } from './verdict.ts';
import { wholeEnd } from './whole-end.ts';

/** Beside the split; none of documents that cannot be read. */
export const experimentsIn = (documents: Documents): readonly Experiment[] =>
  validateDocuments(documents).set?.experiments.experiments ?? [];

export interface PlannedTest {
  variants: Variant[];
  plan: Plan & { isOver: boolean; isUneven: boolean; stops: string };
  /** When a guardrail stopped the last arm beside the control, and the variants until then. */
  end: { at: number; variants: Variant[] } | null;
}

/** With the shares from before any arm was stopped. */
function beforeStops(variants: readonly Variant[]): Variant[] {
  const freed = variants.reduce((sum, { stopped }) => sum + (stopped?.weight ?? 0), 0);
  return variants.map((variant, at) => {
    const own = at === 0 ? variant.weight - freed : (variant.stopped?.weight ?? variant.weight);
    return { ...variant, weight: Math.round(own * 100) / 100 };
  });
}

const stoppedIn = (variants: readonly Pick<ExperimentVariant, 'key' | 'weight' | 'stopped'>[]) =>
  variants.flatMap(({ key, weight, stopped }) =>
    stopped && weight === 0 ? [{ key, ...stopped }] : [],
  );

const stopsText = (stops: ReturnType<typeof stoppedIn>) =>
  stops
    .map(
      ({ key, at, guardrail }) =>
        `“${key}” was stopped on ${at.slice(0, 10)}: its ${guardrail.toLowerCase()} were worse than the control’s. Give it a share again to go on.`,
    )
    .join(' ');

/** Whether no variant beside the control gets new visitors. */
const isCutOff = ({ variants }: Experiment) =>
  !variants.some(({ weight }, at) => at > 0 && weight > 0);

export function plannedTest(experiment: Experiment, now: number): PlannedTest {
  const { metric, secondary = [] } = experiment;
  const variants = experiment.variants.map(({ key, weight, changes, stopped }) => ({
    ...{ key, weight, flow: changes.flow ?? '' },
    ...(stopped && { stopped }),
  }));
  const stops = stoppedIn(experiment.variants);
  const isCut = stops.length > 0 && isCutOff(experiment);
  const isOver = stateOf(experiment, now) === 'ended' || isCut;
  const at = Math.max(...stops.map((stop) => Date.parse(stop.at)));
  return {
    variants,
    plan: {
      ...{ metric, secondary, isOver, stops: stopsText(stops) },
      isUneven: stops.length > 0 && !isCut,
    },
    end: isCut ? { at: wholeEnd(at, now), variants: beforeStops(variants) } : null,
  };
}

/** In words for the list; `stopped` without a variant that new visitors can get beside the control. */
export function stateWord(experiment: Experiment, now: number): string {
  const state = stateOf(experiment, now);
  const isStopped = isCutOff(experiment) || experiment.share === 0;
  return state === 'running' && isStopped ? 'stopped' : state;
}

/** Judged by what the shop earns; the members are the control. */
export const plannedHoldout = (holdout: Holdout, now: number): PlannedTest => ({
  variants: holdoutVariants(holdout).map((each) => ({ ...each, flow: '' })),
  plan: {
    metric: 'revenue',
    secondary: ['purchases'],
    isOver: holdoutState(holdout, now) === 'ended',
    isUneven: false,
    stops: '',
  },
  end: null,
});
