import { build } from 'esbuild';
import { median } from '../statistics.ts';
import { cookieOf } from './experiment.ts';
import { openFunnel, withExternalCounts } from './funnel.ts';
import { type Loaded, load } from './load.ts';
import { visit } from './phone.ts';
import { cpuOf } from './process.ts';
import { alone, type IsolatedWorker } from './worker-alone.ts';

const path = '/one_pager';
const notFound = async () => new Response('not found', { status: 502 });

/** The bare route in a separate workerd, started like the funnel's. */
async function openConstant(page: string): Promise<IsolatedWorker> {
  const { outputFiles } = await build({
    entryPoints: ['test/bench/edge/constant.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const worker = {
    name: 'constant',
    compatibilityDate: '2026-10-01',
    compatibilityFlags: ['nodejs_compat'],
    bindings: { PAGE: page },
    modules: [{ type: 'ESModule', path: 'constant.js', contents: outputFiles[0]?.text }],
  };
  return alone([worker]);
}

interface Round extends Loaded {
  /** CPU time of workerd, µs per request. */
  cpu: number;
  /** Cores that workerd used: near 1 when it was the bottleneck, and not the load tool. */
  busy: number;
}

async function round(
  isolatedWorker: IsolatedWorker,
  name: string,
  cookie: string,
  ms: number,
): Promise<Round> {
  const [start, before] = [performance.now(), cpuOf(isolatedWorker.pid)];
  const request = visit(path, { cookie });
  const loaded = await load({ port: isolatedWorker.ports[name] ?? 0, ms, request: () => request });
  const used = cpuOf(isolatedWorker.pid) - before;
  const busy = used / 1000 / (performance.now() - start);
  return { ...loaded, cpu: used / loaded.requests, busy };
}

/** The landing page for returning and for new visitors, compared with the bare route, in turn. */
export async function landing(rounds: number, ms: number) {
  const funnel = await openFunnel(notFound, { change: withExternalCounts });
  const local = await openFunnel(notFound);
  const first = await fetch(`http://127.0.0.1:${funnel.ports.funnel}${path}`);
  const constant = await openConstant(await first.text());
  const runs = {
    constant: () => round(constant, 'constant', cookieOf(0), ms),
    returning: () => round(funnel, 'funnel', cookieOf(0), ms),
    new: () => round(funnel, 'funnel', '', ms),
    'new, local queue': () => round(local, 'funnel', '', ms),
  };
  const names = Object.keys(runs) as (keyof typeof runs)[];
  const own = process.cpuUsage();
  const seen = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<
    keyof typeof runs,
    Round[]
  >;
  // One more turn, to warm up the code.
  for (let turn = 0; turn <= rounds; turn++) {
    for (const name of names) {
      const result = await runs[name]();
      if (turn > 0) seen[name].push(result);
    }
  }
  const { user, system } = process.cpuUsage(own);
  await funnel.server.dispose();
  await local.server.dispose();
  await constant.server.dispose();
  const of = (name: keyof typeof runs) => {
    const middle = (get: (each: Round, at: number) => number) => median(seen[name].map(get));
    const base = (at: number) => seen.constant[at] as Round;
    return {
      'requests/s': Math.round(middle((each) => each.perSecond)),
      ratio: middle((each, at) => each.perSecond / base(at).perSecond),
      p50: middle((each) => each.p50),
      p99: middle((each) => each.p99),
      'p99 ratio': middle((each, at) => each.p99 / base(at).p99),
      'CPU µs': Math.round(middle((each) => each.cpu)),
      'CPU ratio': middle((each, at) => base(at).cpu / each.cpu),
      busy: middle((each) => each.busy),
      failures: seen[name].reduce((sum, { failures }) => sum + failures, 0),
    };
  };
  const allRounds = Object.values(seen).flat();
  const requests = allRounds.reduce((sum, each) => sum + each.requests, 0);
  return {
    table: {
      constant: of('constant'),
      returning: of('returning'),
      new: of('new'),
      'new, local queue': of('new, local queue'),
    },
    /** Requests per second that one core of the load tool could send. */
    loadTool: Math.round((requests * 1e6) / (user + system)),
  };
}
