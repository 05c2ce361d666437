import { benchEdge } from './edge.ts';
import { benchPages } from './pages.ts';

const full = process.argv.includes('--full');

/** What `npm run bench -- <name> … [--full]` measures; each prints its table and answers its figures. */
const benches: Record<string, () => Promise<unknown>> = {
  pages: benchPages,
  edge: () => benchEdge(full),
};

const asked = process.argv.slice(2).filter((name) => name !== '--full');
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
