import type { Arm } from './arms.ts';
import type { Changes, Experiment, ExperimentVariant } from './experiments-schema.ts';
import { bucketOf, pickVariant } from './split.ts';
import { type ExperimentVisitor, isEligible } from './targeting.ts';

export type ExperimentState = 'waiting' | 'running' | 'ended';

type Dated = Pick<Experiment, 'starts' | 'ends' | 'winner'>;

/** @param now ms since 1970 */
export function stateOf({ starts, ends, winner }: Dated, now: number): ExperimentState {
  if (winner !== undefined || (ends && Date.parse(ends) <= now)) return 'ended';
  return starts && now < Date.parse(starts) ? 'waiting' : 'running';
}

/** Integers, because 0.1 + 0.2 would move a boundary. */
const hundredths = (percent: number) => Math.round(percent * 100);

/** Whether the draw puts the visitor into the experiment; those of a layer share one scale, so they exclude each other. */
function isDrawn(experiment: Experiment, experiments: readonly Experiment[], id: string): boolean {
  const { layer, share } = experiment;
  if (layer === undefined) {
    return hundredths(bucketOf(`share:${experiment.id}`, id)) < hundredths(share);
  }
  const others = experiments.slice(0, experiments.indexOf(experiment));
  const from = others
    .filter((other) => other.layer === layer)
    .reduce((sum, other) => sum + hundredths(other.share), 0);
  const at = hundredths(bucketOf(`layer:${layer}`, id)) - from;
  return at >= 0 && at < hundredths(share);
}

export interface Given {
  experiment: Experiment;
  variant: ExperimentVariant;
  /** Whether the visitor counts for the variant; not after its end, nor for a stopped variant. */
  counts: boolean;
}

const variantOf = ({ variants }: Experiment, key: string | undefined) =>
  variants.find((variant) => variant.key === key);

/** @param own the variant that the visitor has or would get; null for somebody outside the experiment */
function givenOf(experiment: Experiment, own: ExperimentVariant | null, now: number): Given[] {
  const [control] = experiment.variants;
  const state = stateOf(experiment, now);
  if (!control || !own || state === 'waiting') return [];
  if (state === 'ended') {
    const winner = variantOf(experiment, experiment.winner) ?? control;
    return [{ experiment, variant: winner, counts: false }];
  }
  const isStopped = own.weight === 0;
  return [{ experiment, variant: isStopped ? control : own, counts: !isStopped }];
}

/**
 * The visitor's variants, in the order of the document. A stored one wins over targeting, share, layer and weights, as
 * long as the experiment runs.
 * @param now ms since 1970
 */
export function variantsFor(
  experiments: readonly Experiment[],
  visitor: ExperimentVisitor,
  stored: readonly Arm[],
  now: number,
): Given[] {
  const keys = new Map(stored.toReversed().map(({ experiment, variant }) => [experiment, variant]));
  const storedOf = (experiment: Experiment) => variantOf(experiment, keys.get(experiment.id));
  const held = experiments.filter(
    (each) => each.layer && storedOf(each) && stateOf(each, now) === 'running',
  );
  const heldLayers = new Set(held.flatMap(({ layer }) => layer ?? []));
  const drawnOf = (experiment: Experiment) => {
    const { id, variants, layer = '' } = experiment;
    const isMember =
      !heldLayers.has(layer) &&
      isEligible(experiment, visitor) &&
      isDrawn(experiment, experiments, visitor.id);
    return isMember ? pickVariant(variants, bucketOf(id, visitor.id)) : null;
  };
  return experiments.flatMap((experiment) =>
    givenOf(experiment, storedOf(experiment) ?? drawnOf(experiment), now),
  );
}

interface TextChange {
  arm: string;
  texts: NonNullable<Changes['texts']>;
}

export interface MergedChanges extends Pick<Changes, 'flow' | 'offer' | 'theme'> {
  /** The first one wins where two change the same text. */
  texts: TextChange[];
}

/** Of flow, offer and theme the first experiment of the document that changes it wins. */
export function mergedChanges(given: readonly Given[]): MergedChanges {
  const first = <Part extends 'flow' | 'offer' | 'theme'>(part: Part): Changes[Part] =>
    given.find(({ variant }) => variant.changes[part])?.variant.changes[part];
  return {
    flow: first('flow'),
    offer: first('offer'),
    theme: first('theme'),
    texts: given.flatMap(({ experiment, variant: { key, changes } }) =>
      changes.texts ? [{ arm: `${experiment.id}:${key}`, texts: changes.texts }] : [],
    ),
  };
}
