import { openChromium } from '../../scripts/chromium.ts';
import { developmentVars } from '../../scripts/development-vars.ts';
import { serve } from '../../scripts/serve.ts';
import { createFakes } from '../fakes/index.ts';
import { shrink } from './shrink.ts';
import { type Seen, see } from './slow-phone.ts';

const rounds = 9;
const port = 8790;

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function medians(seen: Seen[]): Record<string, number> {
  const names = Object.keys(seen[0] ?? {}) as (keyof Seen)[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      Math.round((median(seen.map((each) => each[name])) ?? 0) * 1000) / 1000,
    ]),
  );
}

/** The landing page against the floor: the same page as one static file without script. */
export async function benchPages() {
  const server = serve({ port: 8791, vars: developmentVars, outside: createFakes().fetch });
  const origin = (await server.ready).origin;
  const html = await (await fetch(`${origin}/one_pager`)).text();
  const floor = html.replace(/<script[^>]*><\/script>/, '');
  const proxy = shrink(origin, port, { '/floor': floor });
  const browser = await openChromium();
  const seen: Record<'landing' | 'floor', Seen[]> = { landing: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    seen.floor.push(await see(browser, `http://localhost:${port}/floor`));
    seen.landing.push(await see(browser, `http://localhost:${port}/one_pager`));
  }
  await browser.close();
  proxy.close();
  await server.dispose();
  const table = { landing: medians(seen.landing), floor: medians(seen.floor) };
  console.table(table);
  return table;
}
