import type { Variant } from '../../worker/experiments/rules/split.ts';
import { aligned, decimal } from '../text-table.ts';
import { fitsWeights, type Share, sameShare, wilson } from './statistics.ts';

/** What one arm came to. */
export interface ArmFacts {
  arm: string;
  visitors: number;
  signUps: number;
  /** Accounts with an active main plan. */
  purchases: number;
  /** Captured less refunded, in minor units, by currency. */
  revenue: Record<string, number>;
}

/** Shares further from the weights than this p are no chance, but a fault in the counting. */
const alarmBelow = 0.001;

const percent = (part: number) => `${(100 * part).toFixed(2)} %`;
const shareOf = ({ purchases, visitors }: ArmFacts): Share => ({
  successes: purchases,
  trials: visitors,
});
const known = ({ successes, trials }: Share) => trials > 0 && successes <= trials;

function p(value: number): string {
  return value < 0.0001 ? '< 0.0001' : value.toFixed(4);
}

const titles = ['arm', 'weight', 'visitors', 'sign-ups', 'purchases', 'conversion', '95 %', 'p'];

function rowOf(facts: ArmFacts, variant: Variant | undefined, first: ArmFacts): string[] {
  const share = shareOf(facts);
  const [low, high] = wilson(share);
  const compared = facts !== first && known(share) && known(shareOf(first));
  const revenue = Object.entries(facts.revenue)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([currency, minor]) => `${decimal(minor)} ${currency}`);
  return [
    facts.arm,
    variant ? `${variant.weight} %` : 'gone',
    String(facts.visitors),
    String(facts.signUps),
    String(facts.purchases),
    known(share) ? percent(share.successes / share.trials) : '–',
    known(share) ? `${percent(low)} – ${percent(high)}` : '–',
    compared ? p(sameShare(share, shareOf(first))) : '–',
    revenue.join(', ') || '–',
  ];
}

/**
 * The results of an experiment as lines of text: a row an arm, p against the first one, and an alarm
 * when visitors did not fall as the weights say.
 *
 * @param facts arms that nothing happened in may be missing
 */
export function tableOf(
  experiment: string,
  variants: readonly Variant[],
  facts: readonly ArmFacts[],
): string[] {
  const factsOf = (arm: string): ArmFacts =>
    facts.find((each) => each.arm === arm) ?? {
      arm,
      visitors: 0,
      signUps: 0,
      purchases: 0,
      revenue: {},
    };
  const written = variants.map(({ key }) => factsOf(key));
  const gone = facts.filter(({ arm }) => !variants.some(({ key }) => key === arm));
  const all = [...written, ...gone];
  const [first] = all;
  if (!first) return [];
  const rows = all.map((each) =>
    rowOf(
      each,
      variants.find(({ key }) => key === each.arm),
      first,
    ),
  );
  const lines = [
    `Experiment ${experiment}; p against ${first.arm}`,
    ...aligned([[...titles, 'revenue'], ...rows]),
  ];
  const fit = fitsWeights(
    written.map(({ visitors }) => visitors),
    variants.map(({ weight }) => weight),
  );
  if (fit < alarmBelow) {
    lines.push(
      `ALARM: visitors do not fall as the weights say (p ${p(fit)}). Trust no figure above until it`,
      'is known why. When the weights were changed on the way, give the experiment a new name.',
    );
  }
  return lines;
}
