import type { Context } from 'hono';
import type { Manifest } from '../documents/manifest.ts';
import type { App } from '../platform/env.ts';
import { type Base, memberBase } from './frozen-base.ts';
import type { Arm } from './rules/arms.ts';
import { changedScreens, screensOf } from './rules/changed-screens.ts';
import { type Configuration, InvalidDocument } from './rules/config-documents.ts';
import { mergedChanges, variantsFor } from './rules/experiment-arms.ts';
import { experimentProblems } from './rules/experiment-checks.ts';
import type { Experiment } from './rules/experiments-schema.ts';
import { isScreenId } from './rules/flows.ts';
import { holdoutArm } from './rules/holdout.ts';
import type { ExperimentVisitor } from './rules/targeting.ts';
import type { VariantTexts } from './variant-texts.ts';

/** What one visitor gets of all experiments. */
export interface Variants {
  /** Those for which the visitor counts. */
  arms: readonly Arm[];
  flow?: string | undefined;
  offer?: string | undefined;
  theme?: string | undefined;
  texts: readonly VariantTexts[];
  shownOn: (screen: string) => readonly Arm[];
  /** Of the holdout that runs: every screen counts for it. */
  holdout?: Arm | null;
  /** What a member of the holdout gets instead of the live documents. */
  base?: (c: Context<App>) => Promise<Base>;
}

interface Asking extends ExperimentVisitor {
  /** Ms since 1970; 0 for a visitor who was counted without the holdout. */
  firstSeen: number;
}

export type RunningExperiments = (visitor: Asking, stored: readonly Arm[], now: number) => Variants;

/** What became part of the other documents is no change of the experiment any more. */
const shippedBy = (now: number, experiments: readonly Experiment[]) =>
  experiments.map((each) => {
    const isShipped = each.rolled_out !== undefined && Date.parse(each.rolled_out) <= now;
    return isShipped ? { ...each, winner: each.variants[0]?.key } : each;
  });

/** An isolate loads this file only if there are experiments. @throws InvalidDocument */
export function runningExperiments(
  configuration: Configuration,
  manifest: Manifest,
): RunningExperiments {
  const [problem] = experimentProblems(configuration);
  if (problem) throw new InvalidDocument(problem.key, `${problem.path}: ${problem.reason}`);
  const { experiments, holdout } = configuration;
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
  const member = (arm: Arm, own: NonNullable<typeof holdout>): Variants => ({
    arms: [arm],
    texts: [],
    holdout: arm,
    shownOn: (screen) => (isScreenId(screen) ? [arm] : []),
    base: (c) => memberBase(c, own, manifest, configuration),
  });
  return (visitor, stored, now) => {
    const held = holdout ? holdoutArm(holdout, visitor, stored, now) : null;
    if (holdout && held?.variant === 'in') return member(held, holdout);
    const given = variantsFor(shippedBy(now, experiments), visitor, stored, now);
    const own = given
      .filter(({ counts }) => counts)
      .map(({ experiment: { id }, variant }) => ({ experiment: id, variant: variant.key }));
    const arms = held ? [held, ...own] : own;
    const { texts, ...changes } = mergedChanges(given);
    return {
      ...changes,
      arms,
      texts: texts.map((each) => ({ ...each, screens: withTexts.get(each.arm) ?? new Set() })),
      holdout: held,
      shownOn: (screen) =>
        arms.filter((arm) =>
          arm === held ? isScreenId(screen) : changed.get(arm.experiment)?.has(screen),
        ),
    };
  };
}
