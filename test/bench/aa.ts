import { type Metric, resultsOf } from '../../worker/console/experiments/rules/results.ts';
import type { ArmFacts } from '../../worker/experiments/results-table.ts';
import { wilson } from '../../worker/experiments/rules/statistics.ts';
import { seeded } from '../seeded-random.ts';
import { atMost, type Figure, printFigures } from './figures.ts';
import { median } from './statistics.ts';

/** Of all visitors, of those who signed up, and of those who bought. */
const rates = { signUp: 0.12, purchase: 0.35, refund: 0.05 };
const prices = [699, 999, 1799, 3999];

export interface Simulated {
  tests: number;
  arms: number;
  metrics: readonly Metric[];
  /** Each ends with a look. */
  days: number;
  /** Of each arm. */
  visitorsPerDay: number;
  /** How much more often a visitor of the last arm buys. */
  lift: number;
}

/** How many of `count` independent trials succeed, by the gaps between the successes. */
function binomial(count: number, share: number, random: () => number): number {
  const gap = () => Math.floor(Math.log(1 - random()) / Math.log(1 - share));
  let successes = 0;
  for (let at = gap(); at < count; at += 1 + gap()) successes += 1;
  return successes;
}

type Money = { USD: number };
type Row = ArmFacts & { revenue: Money; squares: Money };

const emptyRow = (arm: string): Row => ({
  ...{ arm, visitors: 0, signUps: 0, purchases: 0, attempts: 0 },
  ...{ declined: 0, failed: 0, returned: 0, crashed: 0 },
  ...{ revenue: { USD: 0 }, squares: { USD: 0 } },
});

function addDay(row: Row, visitors: number, share: number, random: () => number): void {
  const signUps = binomial(visitors, rates.signUp, random);
  const purchases = binomial(signUps, share, random);
  row.visitors += visitors;
  row.signUps += signUps;
  row.purchases += purchases;
  for (let order = 0; order < purchases; order += 1) {
    const amount = prices[Math.floor(random() * prices.length)] ?? 0;
    // A refund takes the buyer's whole revenue back.
    if (random() < rates.refund) continue;
    row.revenue.USD += amount;
    row.squares.USD += amount ** 2;
  }
}

/** @returns for each test the days until something judged seemed to differ, and until the first metric did; infinity for never */
export function simulateTests(wanted: Simulated, seed: number) {
  const { tests, arms, metrics, days, visitorsPerDay, lift } = wanted;
  const random = seeded(seed);
  const keys = Array.from({ length: arms }, (_, at) => `arm${at}`);
  const variants = keys.map((key) => ({ key, weight: 100 / arms }));
  const seemsToDiffer = (rows: readonly Row[], names: readonly Metric[]) =>
    resultsOf(variants, rows, null, metrics).variants.some(({ comparisons }) =>
      comparisons.some(
        ({ metric, lift: found, isExploratory }) =>
          !isExploratory && names.includes(metric) && found && (found.low > 0 || found.high < 0),
      ),
    );
  return Array.from({ length: tests }, () => {
    const rows = keys.map(emptyRow);
    const seen = { any: Number.POSITIVE_INFINITY, primary: Number.POSITIVE_INFINITY };
    for (let day = 1; day <= days && seen.primary > days; day += 1) {
      for (const [at, row] of rows.entries())
        addDay(row, visitorsPerDay, rates.purchase * (at === arms - 1 ? 1 + lift : 1), random);
      if (seen.any > days && seemsToDiffer(rows, metrics)) seen.any = day;
      if (seen.any <= days && seemsToDiffer(rows, metrics.slice(0, 1))) seen.primary = day;
    }
    return seen;
  });
}

export interface FalseAlarms {
  rate: number;
  /** The 95 % interval of the rate. */
  low: number;
  high: number;
}

/** Tests of equal arms in which something judged seemed to differ at some look. */
export function falseAlarms(wanted: Omit<Simulated, 'lift'>, seed: number): FalseAlarms {
  const seen = simulateTests({ ...wanted, lift: 0 }, seed);
  const successes = seen.filter(({ any }) => any <= wanted.days).length;
  const [low, high] = wilson({ successes, trials: wanted.tests });
  return { rate: successes / wanted.tests, low, high };
}

const three = ['purchases', 'revenue', 'sign_ups'] as const;
const kinds = [
  { name: '2 variants, 1 metric', arms: 2, metrics: three.slice(0, 1) },
  { name: '2 variants, 3 metrics', arms: 2, metrics: three },
  { name: '4 variants, revenue', arms: 4, metrics: three.slice(1, 2) },
  { name: '6 variants, 3 metrics', arms: 6, metrics: three },
];
const lifts = [0.05, 0.1, 0.2, 0.4];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Pure simulation, without a server. */
export async function benchAa(): Promise<Figure[]> {
  const figures = kinds.map(({ name, ...kind }, at) => {
    const found = falseAlarms({ ...kind, tests: 2000, days: 42, visitorsPerDay: 300 }, at + 1);
    const range = `${percent(found.low)} to ${percent(found.high)}`;
    console.log(
      `A/A, ${name}: ${percent(found.rate)} of 2,000 tests gave a false alarm (${range})`,
    );
    return atMost(`A/A, ${name}: false alarms, low end of the 95 % interval`, found.low, 0.05);
  });
  printFigures(figures);
  const power = lifts.map((lift) => {
    const days = 28;
    const wanted = { tests: 300, arms: 2, metrics: three, days, visitorsPerDay: 2000, lift };
    const seen = simulateTests(wanted, 9).map(({ primary }) => primary);
    const found = seen.filter((day) => day <= days);
    return {
      'more purchases': percent(lift),
      'found in 4 weeks': percent(found.length / seen.length),
      'median days': found.length > 0 ? median(found) : '–',
    };
  });
  console.log('Power, 2 variants of 2,000 visitors a day, 3 metrics, purchases first:');
  console.table(power);
  return figures;
}
