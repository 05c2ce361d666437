import { decimal } from '../../locales/format/currency.ts';
import { resultsEnd } from '../../worker/console/experiments/results-end.ts';
import {
  endedNote,
  guardrailVerdict,
  liftText,
  resultsOf,
} from '../../worker/console/experiments/rules/results.ts';
import { readVersions } from '../../worker/documents/document-store.ts';
import { readLive } from '../../worker/documents/live-documents.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import {
  type ArmFacts,
  factsOf,
  namesQuery,
  type ResultRow,
  resultQueries,
} from '../../worker/experiments/results-table.ts';
import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { noFacts } from '../../worker/experiments/rules/guardrails.ts';
import { type Reporting, rateText, reportingIn } from '../../worker/experiments/rules/reporting.ts';
import { visitorsNeeded } from '../../worker/experiments/rules/sample-size.ts';
import type { Variant } from '../../worker/experiments/rules/split.ts';
import {
  fitsWeights,
  type Proportion,
  sameShare,
  wilson,
} from '../../worker/experiments/rules/statistics.ts';
import { CommandError, print } from '../command.ts';
import { aligned } from '../text-table.ts';
import { type Target, wranglerD1, wranglerKv } from '../wrangler.ts';

const targetLift = 0.1;

/** Below this p-value the difference from the weights is not chance, so visitors are counted wrongly. */
const alarmBelow = 0.001;

const percent = (part: number) => `${(100 * part).toFixed(2)} %`;
const shareOf = ({ purchases, visitors }: ArmFacts): Proportion => ({
  successes: purchases,
  trials: visitors,
});
const known = ({ successes, trials }: Proportion) => trials > 0 && successes <= trials;

function p(value: number): string {
  return value < 0.0001 ? '< 0.0001' : value.toFixed(4);
}

const titles = ['arm', 'weight', 'visitors', 'sign-ups', 'purchases', 'conversion', '95 %', 'p'];

function rowOf(facts: ArmFacts, variant: Variant | undefined, first: ArmFacts): string[] {
  const share = shareOf(facts);
  const [low, high] = wilson(share);
  const compared = facts !== first && known(share) && known(shareOf(first));
  const amounts = (of: Record<string, number>) =>
    Object.entries(of)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([currency, minor]) => `${decimal(minor, currency)} ${currency}`)
      .join(', ') || '–';
  return [
    facts.arm,
    variant ? `${variant.weight} %` : 'removed',
    String(facts.visitors),
    String(facts.signUps),
    String(facts.purchases),
    known(share) ? percent(share.successes / share.trials) : '–',
    known(share) ? `${percent(low)} – ${percent(high)}` : '–',
    compared ? p(sameShare(share, shareOf(first))) : '–',
    amounts(facts.revenue),
    ...(facts.renewals ? [amounts(facts.renewals)] : []),
  ];
}

/** @param facts arms without visitors may be missing @param end ms since 1970, from `resultsEnd` */
export function tableOf(
  experiment: string,
  variants: readonly Variant[],
  facts: readonly ArmFacts[],
  end: number | null = null,
): string[] {
  const factsOf = (arm: string) => facts.find((each) => each.arm === arm) ?? noFacts(arm);
  const written = variants.map(({ key }) => factsOf(key));
  const removed = facts.filter(({ arm }) => !variants.some(({ key }) => key === arm));
  const all = [...written, ...removed];
  const [first] = all;
  if (!first) return [];
  const hasRenewals = all.some(({ renewals }) => renewals);
  const rows = all.map((each) =>
    rowOf(
      hasRenewals ? { renewals: {}, ...each } : each,
      variants.find(({ key }) => key === each.arm),
      first,
    ),
  );
  const lines = [
    `Experiment ${experiment}; p against ${first.arm}`,
    ...aligned([[...titles, 'revenue', ...(hasRenewals ? ['renewals'] : [])], ...rows]),
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
  const ended = endedNote(variants, end !== null);
  const until = end === null ? [] : [`Counted until ${new Date(end).toISOString()}.`];
  return ended ? [...lines, ended, ...until] : lines;
}

/** The current conclusions, by intervals that hold at every look, and the visitors still needed. */
export function verdictLines(
  variants: readonly Variant[],
  facts: readonly ArmFacts[],
  reporting: Reporting | null = null,
): string[] {
  const { variants: rows, currency, currencies } = resultsOf(variants, facts, reporting);
  const [first] = rows;
  const share = first && first.visitors > 0 ? first.purchases / first.visitors : 0;
  const needed = visitorsNeeded(share, targetLift, Math.max(1, rows.length - 1));
  const fewest = Math.min(...rows.map(({ visitors }) => visitors));
  const missing = needed - fewest;
  const perVisitor = rows.flatMap(({ arm, revenuePerVisitor }) =>
    currency && revenuePerVisitor !== null
      ? [`${arm} ${decimal(revenuePerVisitor, currency)} ${currency}`]
      : [],
  );
  return [
    ...(perVisitor.length > 0
      ? [`Revenue per visitor: ${perVisitor.join(', ')} ${rateText(currencies, reporting)}`.trim()]
      : []),
    ...(currencies.length > 1 && !currency
      ? [
          `For revenue per visitor give the rates of ${currencies.join(', ')} in "reporting" of config.json.`,
        ]
      : []),
    ...rows
      .slice(1)
      .flatMap(({ arm, comparisons, guardrails }) => [
        ...comparisons.map(({ name, lift }) => `${arm}, ${name.toLowerCase()}: ${liftText(lift)}`),
        ...guardrails.map((one) => `${arm}, ${one.name.toLowerCase()}: ${guardrailVerdict(one)}`),
      ]),
    ...(rows.length > 1 && Number.isFinite(missing) && missing > 0
      ? [`To detect a tenth more purchases: about ${missing} more visitors per arm.`]
      : []),
  ];
}

const definitions = [
  'visitors: new visitors of the arm; bots, prefetches and previews do not count',
  'sign-ups: accounts; purchases: main plans; conversion: purchases of visitors, with its 95 % interval',
  'p: valid for one look at the end; the lines above hold at 95 % however often you look: asymptotic confidence',
  'sequences, https://arxiv.org/abs/2103.06476, with the 5 % divided among the arms that are compared',
  'and the three measures; a guardrail is compared from 30 declines or refunds in each arm',
  'revenue: first payments less refunded and lost in disputes; renewals: the same of later payments',
  'revenue per visitor: first payments and renewals, less refunded and lost in disputes, divided by visitors',
  'declines per attempt: declined payments, divided by all payment attempts, including those for extras',
  'refunds per purchase: refunds and lost disputes of any payment, divided by purchases',
];

interface Wanted {
  /** Defaults to the live experiment. */
  experiment?: string | undefined;
  list: boolean;
}

export async function results(target: Target, { experiment: named, list }: Wanted): Promise<void> {
  const kv = wranglerKv(target);
  const published = await readLive(kv, configSet);
  const texts = published.documents;
  const live = readDocuments(texts);
  const query = wranglerD1(target, undefined, 'funnel-analytics');
  const [seen = []] = await query<{ experiment: string }>(namesQuery);
  const names = seen.map(({ experiment }) => experiment);
  if (list) {
    for (const name of names) print(name === live.experiment ? `${name}  (live)` : name);
    return;
  }
  const experiment = named ?? live.experiment;
  if (named !== undefined && !names.includes(named)) {
    throw new CommandError(
      `${named} has no visitors. Experiments with visitors: ${names.join(', ') || 'none'}.`,
    );
  }
  const reporting = reportingIn(texts['config.json']);
  const isLive = experiment === live.experiment;
  const end = isLive
    ? ((await resultsEnd(kv, published, await readVersions(kv, configSet), Date.now()))?.at ?? null)
    : null;
  const facts = factsOf(
    await query<ResultRow>(resultQueries(experiment, end ?? undefined).join('; ')),
  );
  const variants = isLive ? live.variants : [];
  // The weights of a past experiment are unknown.
  const compared =
    variants.length > 0 ? variants : facts.map(({ arm: key }) => ({ key, weight: 1, flow: '' }));
  for (const line of tableOf(experiment, variants, facts, end)) print(line);
  for (const line of [...verdictLines(compared, facts, reporting), ...definitions]) print(line);
}
