import { build, type Plugin } from 'esbuild';
import { createFakes, type Fakes } from '../../fakes/index.ts';
import { openFunnel } from '../edge/funnel.ts';
import type { Alone } from '../edge/worker-alone.ts';

/** What the entry takes the Worker from is the build, and not its sources. */
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
  house: Alone;
  fakes: Fakes;
  /** Where it is served. */
  site: string;
  /** Has a share of all calls fail from now on, 0 to 1. @returns what there was so far */
  fail(rate: number): Promise<{ asked: number; failed: number }>;
}

/** The built Worker behind an entry that has calls fail, with the stand-ins around it. */
export async function openFaultyFunnel(): Promise<FaultyFunnel> {
  const fakes = createFakes();
  const first = await entry();
  const house = await openFunnel(
    fakes.fetch as never,
    (funnel) => ({ ...funnel, modules: [first, ...(funnel.modules as object[])] }),
    true,
  );
  const site = `http://127.0.0.1:${house.ports.funnel}`;
  const fail = async (rate: number) => {
    const answer = await fetch(`${site}/faults?rate=${rate}`, { method: 'POST' });
    return (await answer.json()) as { asked: number; failed: number };
  };
  return { house, fakes, site, fail };
}
