import { build, type Plugin } from 'esbuild';
import { createFakes, type Fakes } from '../../fakes/index.ts';
import { openFunnel } from '../edge/funnel.ts';
import type { IsolatedWorker } from '../edge/worker-alone.ts';

/** The entry imports the built Worker instead of its sources. */
const built: Plugin = {
  name: 'built',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/worker\/index\.ts$/ }, () => ({ path: './index.js', external: true })),
};

async function entry() {
  const { outputFiles } = await build({
    entryPoints: ['test/bench/soak/faulty-worker.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [built],
  });
  return { type: 'ESModule', path: 'faulty.js', contents: outputFiles[0]?.text };
}

export interface FaultyFunnel {
  isolatedWorker: IsolatedWorker;
  fakes: Fakes;
  /** URL of the site. */
  site: string;
  /** Makes a share of all calls fail from now on, 0 to 1. @returns the counts so far */
  fail(rate: number): Promise<{ calls: number; failed: number }>;
}

/** The built Worker behind an entry that makes calls fail, with vendor fakes around it. */
export async function openFaultyFunnel(): Promise<FaultyFunnel> {
  const fakes = createFakes();
  const first = await entry();
  const isolatedWorker = await openFunnel(fakes.fetch as never, {
    change: (funnel) => ({ ...funnel, modules: [first, ...(funnel.modules as object[])] }),
    inspected: true,
  });
  const site = `http://127.0.0.1:${isolatedWorker.ports.funnel}`;
  const fail = async (rate: number) => {
    const response = await fetch(`${site}/faults?rate=${rate}`, { method: 'POST' });
    return (await response.json()) as { calls: number; failed: number };
  };
  return { isolatedWorker, fakes, site, fail };
}
