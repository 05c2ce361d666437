import { parseArgs } from 'node:util';
import { benchCosts } from './costs.ts';
import { benchEdge } from './edge.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchPages } from './pages.ts';
import { benchSoak } from './soak.ts';

const { values, positionals: asked } = parseArgs({
  options: { rounds: { type: 'string' }, full: { type: 'boolean', default: false } },
  allowPositionals: true,
});

/**
 * What `npm run bench -- <name> … [--rounds N] [--full]` measures; each prints its table and answers
 * its figures.
 */
const benches: Record<string, () => Promise<unknown>> = {
  pages: () => benchPages(Number(values.rounds ?? 9)),
  lighthouse: () => benchLighthouse(Number(values.rounds ?? 5)),
  edge: () => benchEdge(values.full),
  soak: () => benchSoak(values.full),
  costs: benchCosts,
};

const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`No bench ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}\n`);
  process.exit(1);
}
const figures: Record<string, unknown> = {};
for (const [name, measure] of Object.entries(benches)) {
  if (asked.length === 0 || asked.includes(name)) figures[name] = await measure();
}
process.stdout.write(`\n${JSON.stringify(figures, null, 2)}\n`);
process.exit(0);
