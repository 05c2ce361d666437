import { builtWorker } from '../../../scripts/serve.ts';
import { median } from '../statistics.ts';
import { cookieOf, documents } from './experiment.ts';
import { vars } from './funnel.ts';
import { type Loaded, load } from './load.ts';
import { visit } from './phone.ts';
import { alone } from './worker-alone.ts';

/** A KV whose delay is set by a request; the Worker's binding leads to it. */
const script = `
  import { WorkerEntrypoint } from 'cloudflare:workers';
  const documents = ${JSON.stringify(documents)};
  let delay = 0;
  let reads = 0;
  export class Kv extends WorkerEntrypoint {
    async get(key) {
      reads += 1;
      await scheduler.wait(delay);
      return documents[key] ?? null;
    }
    async getWithMetadata(key) {
      return { value: await this.get(key), metadata: null };
    }
  }
  export default {
    fetch(request) {
      delay = Number(new URL(request.url).searchParams.get('ms'));
      return new Response(String(reads));
    },
  };`;

/** Responses of a warm isolate with a fast KV, and with one that takes this many ms, in turn. */
export async function slowKv(rounds: number, ms: number, delay: number) {
  const { kvNamespaces: _kv, ...worker } = builtWorker({ ...vars, CONFIG_CACHE_SECONDS: '1' }) as {
    kvNamespaces?: unknown;
    name: string;
  };
  const kv = { name: 'kv', compatibilityDate: '2026-10-01', modules: true, script };
  const serviceBindings = { FUNNEL: { name: 'kv', entrypoint: 'Kv' } };
  const isolatedWorker = await alone([{ ...worker, serviceBindings } as never, kv]);
  const set = async (wait: number) => {
    const response = await fetch(`http://127.0.0.1:${isolatedWorker.ports.kv}/?ms=${wait}`);
    return Number(await response.text());
  };
  const request = visit('/one_pager', { cookie: cookieOf(0) });
  const port = isolatedWorker.ports.funnel ?? 0;
  const seen: Record<'quick' | 'slow', Loaded[]> = { quick: [], slow: [] };
  await set(0);
  await load({ port, ms, request: () => request });
  let reads = 0;
  for (let turn = 0; turn < rounds; turn++) {
    await set(0);
    seen.quick.push(await load({ port, ms, request: () => request }));
    const before = await set(delay);
    seen.slow.push(await load({ port, ms, request: () => request }));
    reads += (await set(0)) - before;
  }
  await isolatedWorker.server.dispose();
  const of = (name: keyof typeof seen) => ({
    p50: median(seen[name].map((each) => each.p50)),
    p99: median(seen[name].map((each) => each.p99)),
    'p99 ratio': median(seen[name].map((each, at) => each.p99 / (seen.quick[at]?.p99 ?? 1))),
    failures: seen[name].reduce((sum, { failures }) => sum + failures, 0),
  });
  return { quick: of('quick'), slow: { ...of('slow'), reads } };
}
