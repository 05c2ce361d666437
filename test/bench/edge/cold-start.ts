import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';
import { median } from '../statistics.ts';
import { countedElsewhere, openFunnel } from './funnel.ts';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const notOurs = new Set(['(idle)', '(program)', '(root)']);

/** CPU time in a profile, ms, without the time of V8 and the platform themselves. */
function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const ours = timeDeltas.filter((_, at) => !notOurs.has(names.get(samples[at] ?? 0) ?? ''));
  return ours.reduce((sum, each) => sum + each, 0) / 1000;
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

/** An isolate's first page, and pages that a warm isolate has not cached; ms, medians. */
export async function firstPage(rounds: number) {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const funnel = await openFunnel(
      async () => new Response('nobody', { status: 502 }),
      countedElsewhere,
    );
    const timed = async (screen: string, language: string) => {
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${funnel.ports.funnel}/${screen}`, {
        headers: { 'accept-language': language },
      });
      await response.arrayBuffer();
      return performance.now() - start;
    };
    cold.push(await timed('one_pager', 'en'));
    for (const screen of screenIds.filter((id) => id !== 'one_pager').slice(0, 8)) {
      for (const language of languages) await timed(screen, language);
    }
    for (const language of languages) warm.push(await timed('one_pager', language));
    await funnel.server.dispose();
  }
  const [first, miss] = [median(cold), median(warm)];
  return { cold: first, 'warm miss': miss, ratio: first / miss };
}
