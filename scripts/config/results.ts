import { liveTexts } from '../../worker/experiments/config-versions.ts';
import {
  type ArmFacts,
  factsOf,
  type ResultRow,
  resultQueries,
} from '../../worker/experiments/results-table.ts';
import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import type { Variant } from '../../worker/experiments/rules/split.ts';
import {
  fitsWeights,
  type Share,
  sameShare,
  wilson,
} from '../../worker/experiments/rules/statistics.ts';
import { say } from '../command.ts';
import { aligned, decimal } from '../text-table.ts';
import { type Target, wranglerD1, wranglerKv } from '../wrangler.ts';

/** Below this p the shares do not follow the weights by chance: the counting is wrong. */
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
    variant ? `${variant.weight} %` : 'removed',
    String(facts.visitors),
    String(facts.signUps),
    String(facts.purchases),
    known(share) ? percent(share.successes / share.trials) : '–',
    known(share) ? `${percent(low)} – ${percent(high)}` : '–',
    compared ? p(sameShare(share, shareOf(first))) : '–',
    revenue.join(', ') || '–',
  ];
}

/** @param facts arms without visitors may be missing */
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
      `ALARM: the visitors do not match the weights (p ${p(fit)}). Do not trust the figures above`,
      'until you know why. If you changed the weights during the experiment, give it a new name.',
    );
  }
  return lines;
}

export async function results(target: Target): Promise<void> {
  const texts = await liveTexts(wranglerKv(target));
  const { experiment, variants } = readDocuments(texts['config.json'], texts['flows.json']);
  const query = wranglerD1(target, undefined, 'funnel-analytics');
  const facts = factsOf(await query<ResultRow>(resultQueries(experiment).join('; ')));
  for (const line of tableOf(experiment, variants, facts)) say(line);
}
