import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { fieldsIn, jsonIn } from '../worker/platform/read-json.ts';
import { outDir } from './build/environments.ts';

/** Handles the Worker's outgoing requests and browsers' requests to `/fakes/…`. */
export type OutboundHandler = (request: Request) => Promise<Response>;

export interface ServeOptions {
  port: number;
  /** Folder of local KV, D1 and Durable Objects; in memory if omitted. */
  state?: string;
  vars?: Record<string, string>;
  outside: OutboundHandler;
  /** Country of every visitor, ISO 3166 alpha-2. */
  country?: string;
  onLog?: (line: string) => void;
  /** Replace those of the build. */
  queueConsumers?: Record<string, object>;
}

export function builtWorker(vars: Record<string, string> = {}) {
  const built = `${outDir()}/worker`;
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

function miniflareOptions(options: ServeOptions) {
  const { onLog, state } = options;
  // Every start is a new version, which shares no page with earlier ones.
  if (state) rmSync(join(state, 'cache'), { recursive: true, force: true });
  const outside = options.outside as never;
  const worker = builtWorker(options.vars);
  const options4 = {
    port: options.port,
    host: '127.0.0.1',
    cf: { country: options.country ?? 'US' },
    resourcePersistencePath: state,
    handleStructuredLogs: onLog && (({ message }: { message: string }) => onLog(message)),
    workers: [
      {
        ...worker,
        outboundService: outside,
        ...(options.queueConsumers && { queueConsumers: options.queueConsumers }),
      },
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
  // Wrangler's option types are older than miniflare's.
  return convertV4MiniflareOptions(options4 as never);
}

export const serve = (options: ServeOptions) => new Miniflare(miniflareOptions(options));

/** Serves the current build with the same data and address; requests wait for it. */
export const restart = (server: Miniflare, options: ServeOptions) =>
  server.setOptions(miniflareOptions(options));

/** Formats a JSON line of the Worker's log as time, level, event and fields; other lines are unchanged. */
export function readableLine(line: string): string {
  const { ts, level, event, request: _, ...fields } = fieldsIn(jsonIn(line));
  if (ts === undefined) return line;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return [String(ts).slice(11, 19), String(level).padEnd(5), event, ...rest].join(' ');
}
