import type { Arm } from './arms.ts';
import type { Experiment, Holdout } from './experiments-schema.ts';
import { bucketOf, pickVariant } from './split.ts';

/** The experiment for which members and others count: each period draws and counts anew. */
export const holdoutName = ({ starts }: Pick<Holdout, 'starts'>): string =>
  `holdout-${starts.slice(0, 10)}`;

/** The members are the control, so the comparison says what the changes since then brought. */
export const holdoutVariants = ({ share }: Pick<Holdout, 'share'>) => [
  { key: 'in', weight: share },
  { key: 'out', weight: 100 - share },
];

/** @param now ms since 1970 */
export const holdoutState = (
  { starts, ends }: Pick<Holdout, 'starts' | 'ends'>,
  now: number,
): 'waiting' | 'running' | 'ended' =>
  Date.parse(ends) <= now ? 'ended' : now < Date.parse(starts) ? 'waiting' : 'running';

/** What decides who is in a holdout. While it runs, a change of these would move visitors. */
export const fixedParts = [
  'share',
  'version',
  'texts',
  'starts',
] as const satisfies (keyof Holdout)[];

interface Drawn {
  id: string;
  /** Ms since 1970; 0 for a visitor who came before the holdout, or was counted without it. */
  firstSeen: number;
}

/** @returns null for a visitor whom the holdout does not count; a stored arm wins over the draw */
export function holdoutArm(
  holdout: Holdout,
  { id, firstSeen }: Drawn,
  stored: readonly Arm[],
  now: number,
): Arm | null {
  if (holdoutState(holdout, now) !== 'running') return null;
  const experiment = holdoutName(holdout);
  const variants = holdoutVariants(holdout);
  const kept = stored.find((arm) => arm.experiment === experiment)?.variant;
  const isKept = variants.some(({ key }) => key === kept);
  if (!isKept && firstSeen < Date.parse(holdout.starts)) return null;
  const variant = isKept ? kept : pickVariant(variants, bucketOf(experiment, id))?.key;
  return variant === undefined ? null : { experiment, variant };
}

interface Names {
  experiment: string;
  experiments: readonly Pick<Experiment, 'id'>[];
}

/** Why it cannot be published, by its field. */
export function holdoutProblems(
  holdout: Holdout,
  { experiment, experiments }: Names,
): [field: 'ends' | 'starts', reason: string][] {
  const name = holdoutName(holdout);
  const isTaken = [experiment, ...experiments.map(({ id }) => id)].includes(name);
  if (Date.parse(holdout.ends) <= Date.parse(holdout.starts))
    return [['ends', 'not after the start']];
  return isTaken ? [['starts', `another experiment has its name, ${name}`]] : [];
}
