import { readdirSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';

/** Answers a request that the Worker sends out, or that a browser sends to `/fakes/…`. */
export type OutboundHandler = (request: Request) => Promise<Response>;

export interface ServeOptions {
  port: number;
  /** Where local KV, D1 and Durable Objects keep their data; in memory when left out. */
  state?: string;
  /** Variables that replace those of wrangler.toml. */
  vars?: Record<string, string>;
  /** The whole internet, as the Worker sees it. */
  outside: OutboundHandler;
  /** The country that the edge reports for every visitor, ISO 3166 alpha-2. */
  country?: string;
  /** Takes the Worker's log lines; without it they are printed. */
  said?: (line: string) => void;
}

const built = 'dist/worker';

/** The built Worker as miniflare has it, under the name `funnel`. @param vars replace wrangler.toml's */
export function builtWorker(vars: Record<string, string> = {}) {
  const { workerOptions, main } = workerOptionsOf(`${built}/wrangler.json`);
  const { modulesRules: _rules, ...worker } = workerOptions;
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .sort((a) => (main?.endsWith(a) ? -1 : 1));
  return {
    ...(worker as object),
    name: 'funnel',
    compatibilityDate: worker.compatibilityDate,
    bindings: { ...(worker.bindings as object), ...vars },
    modules: files.map((path) => ({ type: 'ESModule', path })),
  };
}

/**
 * Runs the built Worker in the real runtime on this machine.
 *
 * @returns the running server; `ready` resolves to its address
 */
export function serve(options: ServeOptions): Miniflare {
  const { said } = options;
  const outside = options.outside as never;
  const worker = builtWorker(options.vars);
  const options4 = {
    port: options.port,
    host: '127.0.0.1',
    cf: { country: options.country ?? 'US' },
    resourcePersistencePath: options.state,
    handleStructuredLogs: said && (({ message }: { message: string }) => said(message)),
    workers: [
      { ...worker, outboundService: outside },
      {
        name: 'fakes',
        compatibilityDate: worker.compatibilityDate,
        modules: true,
        script: 'export default { fetch: (request, env) => env.OUTSIDE.fetch(request) };',
        routes: ['*/fakes/*'],
        serviceBindings: { OUTSIDE: outside },
      },
    ],
  };
  // Wrangler's option types are older than the ones that miniflare wants.
  return new Miniflare(convertV4MiniflareOptions(options4 as never));
}
