import type { Sample } from '../../../experiments/rules/always-valid.ts';
import {
  daysNeeded,
  visitorsForMean,
  visitorsNeeded,
} from '../../../experiments/rules/sample-size.ts';
import { sources as known } from '../../../http/rules/traffic.ts';
import { trafficName } from '../../parts/rules/names.ts';
import type { Draft } from './experiment-draft.ts';
import { whoText } from './experiment-words.ts';
import { bare, type Metric } from './results.ts';
import { weeksText } from './verdict.ts';

/** Whom a test admits, as far as visitors are counted. */
export interface CountedGroup {
  filters: Readonly<Record<string, readonly string[]>>;
  who: string;
  /** What the counts cannot tell apart, so that fewer visitors may take part. */
  uncounted: string[];
}

const devicesOf = { mobile: ['ios', 'android'], desktop: ['desktop'] };
const isDevice = (name: string): name is keyof typeof devicesOf => Object.hasOwn(devicesOf, name);

export function countedGroup(
  targeting: Draft['targeting'],
  visitors: Draft['visitors'],
): CountedGroup {
  const { countries, languages, devices, platforms, sources, placements, campaigns } = targeting;
  const classes = devices.flatMap((name) => (isDevice(name) ? devicesOf[name] : []));
  const own = {
    country: countries,
    language: languages,
    device:
      classes.length > 0 && platforms.length > 0
        ? classes.filter((each) => platforms.includes(each))
        : [...classes, ...platforms],
    source:
      sources.length > 0
        ? sources
        : [
            ...new Set(
              known.flatMap(([network, own]) => (placements.includes(own) ? network : [])),
            ),
          ],
  };
  const counted = { countries, languages, devices, platforms, sources: own.source };
  return {
    filters: Object.fromEntries(Object.entries(own).filter(([, all]) => all.length > 0)),
    who: whoText({ targeting: counted, share: 100 }),
    uncounted: [
      ...placements.map(trafficName),
      ...(campaigns.length > 0 ? ['campaigns'] : []),
      ...(visitors === 'returning' ? ['returning visitors'] : []),
    ],
  };
}

export interface Traffic {
  visitors: number;
  /** On which they were counted. */
  days: number;
  /** Sign-ups or purchases. */
  events: number;
  /** What a visitor brings, by the metric. */
  sample: Sample;
  /** The same in words; empty for a share of visitors. */
  amount: string;
}

export interface PlannedTest extends CountedGroup {
  metric: Metric;
  /** Of each variant, in percent of the group's visitors. */
  weights: readonly number[];
  /** Variants and metrics that are compared with the control. */
  comparisons: number;
}

/** The rate of fewer could as well be a third lower or higher. */
const minEvents = 10;
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const lifts = [0.1, 0.2];
const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;

/** Nothing for a test of one variant. */
export function estimatesOf(
  { metric, weights, comparisons, who, uncounted }: PlannedTest,
  { visitors, days, events, sample, amount }: Traffic,
): string[] {
  if (weights.filter((weight) => weight > 0).length < 2) return [];
  const perDay = visitors / Math.max(1, days);
  const about = perDay < 0.5 ? 'fewer than one' : whole.format(perDay);
  const neededFor = (lift: number) =>
    amount
      ? visitorsForMean(sample, lift, comparisons)
      : visitorsNeeded(sample.mean, lift, comparisons);
  return [
    `New in the last 14 days: ${whole.format(visitors)} ${who}, ${about} a day.`,
    ...(uncounted.length > 0
      ? [
          `Not counted by themselves: ${uncounted.join(', ')}. So fewer visitors may take part, and the test may take longer.`,
        ]
      : []),
    ...(events < minEvents
      ? ['Not enough traffic yet to say how long the test takes.']
      : lifts.flatMap((lift) => {
          const needed = neededFor(lift);
          return Number.isFinite(needed)
            ? `A difference of ${percent(lift)} in ${bare(metric)}, now ${amount || percent(sample.mean)}: ${whole.format(needed)} visitors for each variant, ${weeksText(daysNeeded(needed, perDay, weights))}.`
            : [];
        })),
  ];
}
