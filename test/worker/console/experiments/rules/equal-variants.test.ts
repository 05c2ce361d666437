import { expect, test } from 'vitest';
import { resultsOf } from '../../../../../worker/console/experiments/rules/results.ts';
import type { ArmFacts } from '../../../../../worker/experiments/results-table.ts';
import { arm } from '../../../../scripts/config/command-context.ts';
import { seeded } from '../../../../seeded-random.ts';

interface Site {
  visitorsPerDay: number;
  /** Share of visitors who buy, of buyers who are refunded, and of attempts that are declined. */
  bought: number;
  refunded: number;
  days: number;
}

const prices = [699, 999, 1799, 3999, 5999];
const variants = [arm('a', 50), arm('b', 50)];

/** The number of successes by inversion for small means, else by the normal approximation. */
function successes(trials: number, share: number, random: () => number): number {
  const mean = trials * share;
  if (mean > 30) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.min(trials, Math.round(mean + normal * Math.sqrt(mean * (1 - share)))));
  }
  let [count, left] = [0, random()];
  let chance = (1 - share) ** trials;
  while (left > chance && count < trials) {
    left -= chance;
    chance *= ((trials - count) / (count + 1)) * (share / (1 - share));
    count += 1;
  }
  return count;
}

function addDay(row: ArmFacts, site: Site, random: () => number): void {
  const signUps = successes(site.visitorsPerDay, 0.2, random);
  const purchases = successes(signUps, site.bought / 0.2, random);
  const declined = successes(purchases, 0.15, random);
  row.visitors += site.visitorsPerDay;
  row.signUps += signUps;
  row.purchases += purchases;
  row.attempts += purchases + declined;
  row.declined += declined;
  row.returned += successes(purchases, site.refunded, random);
  for (let buyer = 0; buyer < purchases; buyer += 1) {
    const price = prices[Math.floor(random() * prices.length)] ?? 0;
    row.revenue.USD = (row.revenue.USD ?? 0) + price;
    row.squares.USD = (row.squares.USD ?? 0) + price ** 2;
  }
}

const empty = (name: string): ArmFacts => ({
  ...{ arm: name, visitors: 0, signUps: 0, purchases: 0, attempts: 0 },
  ...{ declined: 0, failed: 0, returned: 0, crashed: 0 },
  ...{ revenue: {}, squares: {} },
});

/** Shares of tests that found a difference of any measure, or of any guardrail, on any day. */
function falseFindings(tests: number, site: Site, seed: number) {
  const random = seeded(seed);
  const found = { measures: 0, guardrails: 0 };
  for (let run = 0; run < tests; run += 1) {
    const rows = [empty('a'), empty('b')];
    const seen = { measures: false, guardrails: false };
    for (let day = 0; day < site.days; day += 1) {
      for (const row of rows) addDay(row, site, random);
      const other = resultsOf(variants, rows).variants[1];
      const isFound = ({ lift }: { lift: { low: number; high: number } | null }) =>
        lift !== null && (lift.low > 0 || lift.high < 0);
      seen.measures ||= other?.comparisons.some(isFound) ?? false;
      seen.guardrails ||= other?.guardrails.some(isFound) ?? false;
    }
    found.measures += Number(seen.measures);
    found.guardrails += Number(seen.guardrails);
  }
  return { measures: found.measures / tests, guardrails: found.guardrails / tests };
}

const sites: [string, Site][] = [
  ['few buyers', { visitorsPerDay: 50, bought: 0.04, refunded: 0.05, days: 60 }],
  ['many refunds', { visitorsPerDay: 300, bought: 0.02, refunded: 0.1, days: 60 }],
  ['a few hundred visitors a day', { visitorsPerDay: 200, bought: 0.04, refunded: 0.05, days: 60 }],
  ['a thousand visitors a day', { visitorsPerDay: 1000, bought: 0.03, refunded: 0.05, days: 40 }],
];

test.each(process.env.SLOW === '1' ? sites : sites.slice(0, 1))(
  'results: with %s and equal variants at most one of twenty tests finds a difference',
  (_, site) => {
    const { measures, guardrails } = falseFindings(1500, site, 5);
    expect(measures).toBeLessThanOrEqual(0.05);
    expect(guardrails).toBeLessThanOrEqual(0.05);
  },
);
