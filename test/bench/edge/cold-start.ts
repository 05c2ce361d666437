import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';
import { median } from '../statistics.ts';
import { cookieOf } from './experiment.ts';
import { openFunnel, withExternalCounts } from './funnel.ts';
import { load } from './load.ts';
import { visit } from './phone.ts';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const idleFunctions = new Set(['(idle)', '(program)', '(root)']);

/** CPU time in a profile, ms, without the time of V8 and the platform themselves. */
function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const busySamples = timeDeltas.filter(
    (_, at) => !idleFunctions.has(names.get(samples[at] ?? 0) ?? ''),
  );
  return busySamples.reduce((sum, each) => sum + each, 0) / 1000;
}

/** CPU time of an isolate before its first request, ms, as profiled by `wrangler check startup`. */
export function startUpMs(rounds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'startup-'));
  const run = (...args: string[]) =>
    execFileSync('wrangler', args, {
      stdio: 'pipe',
      env: { ...process.env, WRANGLER_LOG: 'error' },
    });
  const [worker, profile] = [join(folder, 'worker.bundle'), join(folder, 'profile')];
  try {
    run('deploy', '--dry-run', '-c', 'dist/worker/wrangler.json', '--outfile', worker);
    const times = Array.from({ length: rounds }, () => {
      run('check', 'startup', '--worker', worker, '--outfile', profile);
      return busyMs(JSON.parse(readFileSync(profile, 'utf8')));
    });
    return median(times);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const languages = 'ar de es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');

/** Isolates share pages only within one version of the Worker. */
const withVersion = (funnel: Parameters<typeof withExternalCounts>[0]) => {
  const { versionMetadata: _, ...rest } = withExternalCounts(funnel);
  const CF_VERSION_METADATA = { id: 'bench', tag: '', timestamp: '' };
  return { ...rest, bindings: { ...(funnel.bindings as object), CF_VERSION_METADATA } };
};

/**
 * The first page of an isolate, while another one is warm, so that no simulator is cold; and pages that neither has
 * rendered. ms, medians.
 */
export async function firstPage(rounds: number) {
  const shared: number[] = [];
  const rendered: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ports, server } = await openFunnel(
      async () => new Response('nobody', { status: 502 }),
      { change: withVersion, copies: ['cold', 'colder'] },
    );
    const timed = async (isolate: string, screen: string, language: string) => {
      const request = () => visit(`/${screen}`, { cookie: cookieOf(0), language });
      const port = ports[isolate] ?? 0;
      return (await load({ port, requests: 1, connections: 1, request })).p50;
    };
    await timed('funnel', 'one_pager', 'en');
    for (const screen of screenIds.filter((id) => id !== 'one_pager').slice(0, 8)) {
      for (const language of languages) await timed('funnel', screen, language);
    }
    shared.push(await timed('cold', 'one_pager', 'en'));
    rendered.push(await timed('colder', 'one_pager_all', 'en'));
    for (const language of languages) warm.push(await timed('funnel', 'one_pager', language));
    await server.dispose();
  }
  const [found, drawn, miss] = [median(shared), median(rendered), median(warm)];
  return {
    cold: { ms: found, ratio: found / miss },
    'cold, rendered': { ms: drawn, ratio: drawn / miss },
    'warm miss': { ms: miss, ratio: 1 },
  };
}
