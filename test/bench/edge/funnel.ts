import { developmentVars } from '../../../scripts/development-vars.ts';
import { migrate } from '../../../scripts/migrate.ts';
import { builtWorker, type OutboundHandler } from '../../../scripts/serve.ts';
import { documents as split } from './experiment.ts';
import { alone, type IsolatedWorker } from './worker-alone.ts';

/** As in production, with fake keys. */
export const vars = {
  ...developmentVars,
  ENVIRONMENT: 'production',
  SITE_URL: 'https://funnel.test',
  FAKES_URL: '',
  CONFIG_CACHE_SECONDS: '30',
};

/** A queue that discards its messages, because on the platform they are consumed elsewhere. */
const forgetful = {
  name: 'queue',
  compatibilityDate: '2026-10-01',
  modules: true,
  script: `
    import { WorkerEntrypoint } from 'cloudflare:workers';
    export class Queue extends WorkerEntrypoint {
      sendBatch() {}
    }
    export default {};`,
};

type Options = Record<string, unknown> & { name: string };

/** Sends exposures to such a queue, as on the platform. */
export function withExternalCounts(funnel: Options): Options {
  const { EXPOSURE_QUEUE: _queue, ...queueProducers } = funnel.queueProducers as object & {
    EXPOSURE_QUEUE: unknown;
  };
  const serviceBindings = { EXPOSURE_QUEUE: { name: 'queue', entrypoint: 'Queue' } };
  return { ...funnel, queueProducers, serviceBindings };
}

interface FunnelOptions {
  /** Differences from production, as miniflare's options of the Worker. */
  change?: (funnel: Options) => Options;
  /** In KV, beside those of the split. */
  documents?: Record<string, string>;
  /** Whether V8's inspector listens. */
  inspected?: boolean;
  /** Names of further isolates of the same Worker, which consume no queue. */
  copies?: readonly string[];
}

/** The built Worker with local KV, D1, Durable Objects and queues, in an experiment. */
export async function openFunnel(
  outside: OutboundHandler,
  {
    change = (funnel) => funnel,
    documents = {},
    inspected = false,
    copies = [],
  }: FunnelOptions = {},
): Promise<IsolatedWorker> {
  const funnel = change({ ...builtWorker(vars), outboundService: outside });
  const { queueConsumers: _, ...copy } = funnel;
  const isolates = [funnel, ...copies.map((name) => ({ ...copy, name }))];
  const isolatedWorker = await alone([...isolates, forgetful], inspected);
  const kv = await isolatedWorker.server.getKVNamespace('FUNNEL', 'funnel');
  for (const [key, text] of Object.entries({ ...split, ...documents })) await kv.put(key, text);
  await migrate(isolatedWorker.server);
  return isolatedWorker;
}
