import { Argument, Option } from 'commander';
import { npmCommand, print, runCommand, wholeNumber } from '../../scripts/command.ts';
import { isLanding, type ScreenId, screenIds } from '../../worker/experiments/rules/flows.ts';
import { benchAa } from './aa.ts';
import { benchCosts } from './costs.ts';
import { benchEdge } from './edge.ts';
import { benchEngines } from './engines.ts';
import { benchFailover } from './failover.ts';
import { benchGrowth } from './growth.ts';
import { benchHurried } from './hurried.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchOverview } from './overview.ts';
import { benchPages } from './pages.ts';
import { benchSoak } from './soak.ts';

interface Options {
  rounds?: number;
  landing?: ScreenId;
  full: boolean;
}

/** Each benchmark prints its table and returns its figures. */
const benches: Record<string, (options: Options) => Promise<unknown>> = {
  hurried: ({ rounds = 5, landing }) => benchHurried(rounds, landing),
  engines: ({ rounds = 3, landing }) => benchEngines(rounds, landing),
  pages: ({ rounds = 9 }) => benchPages(rounds),
  lighthouse: ({ rounds = 5 }) => benchLighthouse(rounds),
  edge: ({ full }) => benchEdge(full),
  soak: ({ full }) => benchSoak(full),
  aa: benchAa,
  costs: benchCosts,
  failover: benchFailover,
  growth: benchGrowth,
  overview: benchOverview,
};

async function run(names: string[], options: Options): Promise<void> {
  const figures: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(benches)) {
    if (names.length === 0 || names.includes(name)) figures[name] = await measure(options);
  }
  print(`\n${JSON.stringify(figures, null, 2)}`);
  process.exit(0);
}

export const program = npmCommand(
  'npm run bench --',
  'Measures the built funnel; prints tables, then JSON with each figure and its target.',
  'pages --rounds 3',
)
  .addArgument(new Argument('[names...]', 'benches; all by default').choices(Object.keys(benches)))
  .option(
    '--rounds <number>',
    'rounds of hurried, engines, pages and lighthouse',
    wholeNumber(1000),
  )
  .addOption(
    new Option(
      '--landing <screen>',
      'only this landing of hurried; the landing of engines',
    ).choices(screenIds.filter(isLanding)),
  )
  .option('--full', 'full counts of edge and soak', false)
  .action(run);

if (import.meta.main) await runCommand(program);
