import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { unstable_readConfig as readConfig } from 'wrangler';
import { cloudflareApi } from '../../../scripts/deploy/cloudflare-api.ts';
import type { WorkerConfig } from '../../../scripts/deploy/resources.ts';
import type { Tools } from '../../../scripts/deploy/run-deploy.ts';
import { writeVars } from '../../../scripts/deploy/vars-file.ts';
import { account, createCloudflare, token } from '../../fakes/cloudflare/server.ts';
import type { Binding, CloudflareState } from '../../fakes/cloudflare/state.ts';
import { fakeWrangler } from './fake-wrangler.ts';

/** A request's fault: it never arrives, its reply is lost, or it gets a 500 unexecuted. */
export type Fault = 'never' | 'lost' | 'refused';
export const faults: Fault[] = ['never', 'lost', 'refused'];

/** A build: the configuration written by Vite's plugin, and one file of code. */
function buildFolder(code = 'first'): string {
  const dist = mkdtempSync(join(tmpdir(), 'dist-'));
  for (const part of ['worker', 'client']) mkdirSync(join(dist, part));
  writeFileSync(join(dist, 'client/robots.txt'), '');
  writeBuild(dist, code);
  return dist;
}

export function writeBuild(dist: string, code: string): void {
  const toml = readConfig({ config: 'wrangler.toml' }, { hideWarnings: true }) as WorkerConfig;
  const d1_databases = toml.d1_databases.map((each) => ({
    ...each,
    migrations_dir: relative(join(dist, 'worker'), resolve(each.migrations_dir ?? '')),
  }));
  const { configPath, topLevelName, ...rest } = toml as WorkerConfig & Record<string, unknown>;
  const built = { main: 'index.js', no_bundle: true, assets: { directory: '../client' } };
  const config = { ...rest, ...built, d1_databases };
  writeFileSync(join(dist, 'worker/wrangler.json'), JSON.stringify(config));
  writeFileSync(join(dist, 'worker/index.js'), `export default {}; // ${code}`);
}

/** A project on workers.dev, whose staging environment has a domain. */
function projectFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  copyFileSync('wrangler.toml', join(folder, 'wrangler.toml'));
  symlinkSync(resolve('worker'), join(folder, 'worker'));
  writeVars(join(folder, 'wrangler.toml'), {
    SITE_URL: 'https://funnel.funnel-acc1.workers.dev',
  });
  writeVars(join(folder, 'wrangler.staging.toml'), { SITE_URL: 'https://staging.funnel.example' });
  return folder;
}

/** An account, and tools for it that count requests and can break one of them. */
export function fixture(more: Partial<Tools> = {}, fake = createCloudflare()) {
  const printed: string[] = [];
  let requests = 0;
  let broken: { at: number; fault: Fault } | null = null;
  let time = 0;
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests += 1;
    const fault = broken?.at === requests ? broken.fault : null;
    if (fault === 'never') throw new TypeError('fetch failed');
    if (fault === 'refused') {
      const errors = [{ code: 10001, message: 'internal error' }];
      return Response.json({ success: false, errors, result: null }, { status: 500 });
    }
    const response = await fake.fetch(url, init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    return response;
  };
  const base = 'https://api.test/client/v4';
  const wait = async (ms: number) => {
    time += ms;
  };
  const tools: Tools = {
    api: cloudflareApi({ account, token, base }, fetch as typeof globalThis.fetch, wait),
    run: fakeWrangler(fetch),
    print: (line) => void printed.push(line),
    ask: async ({ name }) => `typed ${name}`,
    given: {},
    build: async () => undefined,
    problems: async () => [],
    folder: projectFolder(),
    dist: buildFolder(),
    rollout: () => ({
      walk: async () => null,
      wait,
      now: () => time,
      stageMs: 180_000,
    }),
    ...more,
  };
  return {
    fake,
    printed,
    tools,
    requests: () => requests,
    /** Breaks the nth request from now. */
    breakAt: (nth: number, fault: Fault) => {
      broken = { at: requests + nth, fault };
    },
  };
}

const resourceTypes = ['kv_namespace', 'd1', 'r2_bucket', 'queue', 'plain_text'];

const nameOf = ({ type, name, queue_name, bucket_name, text }: Binding) =>
  resourceTypes.includes(type)
    ? [[type, name, queue_name ?? bucket_name ?? text ?? ''].join(' ')]
    : [];

/** The contents of the account, without ids, times and random secrets. */
export function contentOf(state: CloudflareState) {
  const tables = (sqlite: CloudflareState['databases'][number]['sqlite']) =>
    sqlite.prepare('SELECT name FROM sqlite_master ORDER BY name').all();
  return {
    namespaces: state.namespaces.map(({ title }) => title).sort(),
    databases: state.databases.map(({ name, read_replication, sqlite }) => [
      name,
      read_replication.mode,
      tables(sqlite),
      sqlite.prepare('SELECT name FROM d1_migrations ORDER BY id').all(),
    ]),
    buckets: state.buckets,
    queues: state.queues
      .map(({ queue_name, consumers }) => [
        queue_name,
        consumers.map(({ script, dead_letter_queue }) => [script, dead_letter_queue]),
      ])
      .sort(),
    workers: Object.entries(state.workers).map(([name, worker]) => {
      const live = worker.deployments[0]?.versions.map(({ version_id, percentage }) => {
        const version = worker.versions.find(({ id }) => id === version_id);
        return [percentage, version?.bindings.flatMap(nameOf).sort()];
      });
      return [name, live, Object.keys(worker.secrets).sort(), worker.migrationTag, worker.domains];
    }),
    rules: state.rules,
    subdomain: state.subdomain,
  };
}
