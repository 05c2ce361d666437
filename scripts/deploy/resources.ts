import { createHash } from 'node:crypto';
import { messageOf } from '../../worker/platform/log.ts';
import { extensionsOf } from '../../worker/platform/rules/database-number.ts';
import { CommandError } from '../command.ts';

/** The part of wrangler's configuration that an environment changes, before or after the build. */
export interface WorkerConfig {
  name?: string;
  vars?: Record<string, unknown>;
  routes?: unknown[];
  kv_namespaces: { binding: string; id?: string }[];
  d1_databases: {
    binding: string;
    database_name?: string;
    database_id?: string;
    migrations_dir?: string;
  }[];
  r2_buckets: { binding: string; bucket_name?: string }[];
  queues: {
    producers?: { binding: string; queue?: string }[];
    consumers?: { queue: string; dead_letter_queue?: string }[];
  };
  ratelimits?: { name: string; namespace_id: string }[];
}

/** Name of a resource in an environment; `worker/queues.ts` reads the part before the two dashes. */
export const nameIn = (environment: string | null) => (name: string) =>
  environment === null ? name : `${name}--${environment}`;

/** Rate limits with the same id are counted together in the whole account. */
function rateLimitId(id: string, environment: string | null): string {
  if (environment === null) return id;
  const hash = createHash('sha256').update(environment).digest().readUInt16BE(0);
  return `${10_000 + hash}${id}`;
}

/** Repeats `DB` as often as `ACCOUNT_DATABASES` says. @throws CommandError */
function withAccountDatabases(databases: WorkerConfig['d1_databases'], counts: unknown) {
  const first = databases.find(({ binding }) => binding === 'DB');
  if (!first) return databases;
  const last = lastDatabase(counts);
  const more = Array.from({ length: last }, (_, index) => ({
    ...first,
    binding: `DB_${index + 1}`,
    database_name: `${first.database_name ?? 'funnel'}-accounts-${index + 1}`,
  }));
  return [...databases, ...more];
}

function lastDatabase(counts: unknown): number {
  try {
    return extensionsOf(String(counts ?? ''))[0]?.last ?? 0;
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

/** The site is a custom domain of the Worker, unless it is on workers.dev or the file contains routes. */
function routesOf(routes: unknown[] | undefined, site: unknown): unknown[] | undefined {
  if (routes?.length) return routes;
  const host = URL.parse(String(site ?? ''))?.hostname ?? '';
  return host === '' || host.endsWith('.workers.dev')
    ? undefined
    : [{ pattern: host, custom_domain: true }];
}

/** An environment shares nothing with production. @param environment null for production */
export function forEnvironment<C extends WorkerConfig>(
  config: C,
  environment: string | null,
  vars: Record<string, unknown>,
): C {
  const named = nameIn(environment);
  const worker = config.name ?? 'funnel';
  const optional = (name: string | undefined, binding: string) =>
    named(name ?? `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`);
  const { producers = [], consumers = [] } = config.queues;
  const { routes: own, ...rest } = config;
  const routes = routesOf(environment === null ? own : undefined, vars.SITE_URL);
  return {
    ...(rest as C),
    name: environment === null ? worker : `${worker}-${environment}`,
    vars,
    ...(routes && { routes }),
    d1_databases: withAccountDatabases(config.d1_databases, vars.ACCOUNT_DATABASES).map((each) => ({
      ...each,
      database_name: optional(each.database_name, each.binding),
    })),
    r2_buckets: config.r2_buckets.map((each) => ({
      ...each,
      bucket_name: optional(each.bucket_name, each.binding),
    })),
    queues: {
      producers: producers.map((each) => ({
        ...each,
        queue: optional(each.queue, each.binding),
      })),
      consumers: consumers.map((each) => ({
        ...each,
        queue: named(each.queue),
        ...(each.dead_letter_queue && { dead_letter_queue: named(each.dead_letter_queue) }),
      })),
    },
    ...(config.ratelimits && {
      ratelimits: config.ratelimits.map((each) => ({
        ...each,
        namespace_id: rateLimitId(each.namespace_id, environment),
      })),
    }),
  };
}

export interface Resources {
  kv: { binding: string; name: string }[];
  d1: { binding: string; name: string; migrations: string | undefined }[];
  /** `keptDays`: objects are deleted after this many days; null keeps them. */
  r2: { name: string; keptDays: number | null }[];
  queues: string[];
  /** The subdomain on workers.dev for a site without a domain; null with one. */
  subdomain: string | null;
}

/** By binding, because `wrangler.toml` has no field for it. */
const keptDays: Readonly<Record<string, number>> = { EVENTS: 90 };

const subdomainIn = (site: unknown) =>
  /\.([\w-]+)\.workers\.dev$/.exec(URL.parse(String(site ?? ''))?.hostname ?? '')?.[1];

/** A KV namespace gets the name that wrangler would use. */
export function resourcesOf(config: WorkerConfig, account: string): Resources {
  const { producers = [], consumers = [] } = config.queues;
  const queues = [
    ...producers.map(({ queue = '' }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue ?? '']),
  ];
  return {
    kv: config.kv_namespaces.map(({ binding }) => ({
      binding,
      name: `${config.name}-${binding.toLowerCase().replaceAll('_', '-')}`,
    })),
    d1: config.d1_databases.map(({ binding, database_name = '', migrations_dir }) => ({
      binding,
      name: database_name,
      migrations: migrations_dir,
    })),
    r2: config.r2_buckets.map(({ binding, bucket_name: name = '' }) => ({
      name,
      keptDays: keptDays[binding] ?? null,
    })),
    queues: [...new Set(queues)].filter((name) => name !== ''),
    subdomain: config.routes?.length
      ? null
      : (subdomainIn(config.vars?.SITE_URL) ?? `funnel-${account.slice(0, 12).toLowerCase()}`),
  };
}

/** Ids by binding. */
export interface ResourceIds {
  kv: Record<string, string>;
  d1: Record<string, string>;
}

export const withIds = <C extends WorkerConfig>(config: C, ids: ResourceIds): C => ({
  ...config,
  kv_namespaces: config.kv_namespaces.map((each) => ({ ...each, id: ids.kv[each.binding] })),
  d1_databases: config.d1_databases.map((each) => ({
    ...each,
    database_id: ids.d1[each.binding],
  })),
});
