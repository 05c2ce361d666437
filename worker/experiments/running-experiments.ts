import type { FlatTexts } from '../content/rules/text-overrides.ts';
import type { Arm } from './rules/arms.ts';
import { changedScreens, screensOf } from './rules/changed-screens.ts';
import { type Configuration, InvalidDocument } from './rules/config-documents.ts';
import { mergedChanges, variantsFor } from './rules/experiment-arms.ts';
import { experimentProblems } from './rules/experiment-checks.ts';
import type { Experiment } from './rules/experiments-schema.ts';
import type { ExperimentVisitor } from './rules/targeting.ts';

/** Texts that a variant changes on these screens. */
export interface VariantTexts {
  arm: string;
  screens: ReadonlySet<string>;
  texts: Readonly<Record<string, FlatTexts>>;
}

/** What one visitor gets of all experiments. */
export interface Variants {
  /** Those for which the visitor counts. */
  arms: readonly Arm[];
  flow?: string | undefined;
  offer?: string | undefined;
  theme?: string | undefined;
  texts: readonly VariantTexts[];
  shownOn: (screen: string) => readonly Arm[];
}

export type RunningExperiments = (
  visitor: ExperimentVisitor,
  stored: readonly Arm[],
  now: number,
) => Variants;

/** What became part of the other documents is no change of the experiment any more. */
const shippedBy = (now: number, experiments: readonly Experiment[]) =>
  experiments.map((each) => {
    const isShipped = each.rolled_out !== undefined && Date.parse(each.rolled_out) <= now;
    return isShipped ? { ...each, winner: each.variants[0]?.key } : each;
  });

/** An isolate loads this file only if there are experiments. @throws InvalidDocument */
export function runningExperiments(configuration: Configuration): RunningExperiments {
  const [problem] = experimentProblems(configuration);
  if (problem) throw new InvalidDocument(problem.key, `${problem.path}: ${problem.reason}`);
  const { experiments } = configuration;
  const changed = new Map(
    experiments.map((each) => [each.id, changedScreens(each, configuration)]),
  );
  const withTexts = new Map(
    experiments.flatMap(({ id, variants }) =>
      variants.map(({ key, changes: { texts } }) => [
        `${id}:${key}`,
        screensOf(texts ? { texts } : {}, configuration),
      ]),
    ),
  );
  return (visitor, stored, now) => {
    const given = variantsFor(shippedBy(now, experiments), visitor, stored, now);
    const arms = given
      .filter(({ counts }) => counts)
      .map(({ experiment: { id }, variant }) => ({ experiment: id, variant: variant.key }));
    const { texts, ...changes } = mergedChanges(given);
    return {
      ...changes,
      arms,
      texts: texts.map((each) => ({ ...each, screens: withTexts.get(each.arm) ?? new Set() })),
      shownOn: (screen) => arms.filter(({ experiment }) => changed.get(experiment)?.has(screen)),
    };
  };
}
