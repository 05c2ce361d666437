import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkerConfig } from '../../../scripts/deploy/resources.ts';
import type { Run } from '../../../scripts/wrangler.ts';
import { account, token } from '../../fakes/cloudflare/server.ts';

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
type Config = WorkerConfig & { name: string; migrations?: { tag: string }[] };

class Failed extends Error {}

/**
 * Wrangler 4.156 without its start-up time of three seconds: the calls of the same commands in the same order, so
 * that faults can hit each. `wrangler.contract.test.ts` compares it with the real one.
 */
export function fakeWrangler(fetch: Fetch): Run {
  async function call<T>(method: string, path: string, body?: object | FormData): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetch(`https://api.test/client/v4/accounts/${account}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      body: isForm ? body : body && JSON.stringify(body),
    }).catch(() => {
      throw new Failed('fetch failed');
    });
    const { success, result, errors } = await response.json();
    if (!success) throw new Failed(`${path}: ${errors[0]?.message} [code: ${errors[0]?.code}]`);
    return result;
  }
  const after = (args: string[], option: string) => args[args.indexOf(option) + 1] ?? '';
  const configOf = (args: string[]): Config =>
    JSON.parse(readFileSync(after(args, '--config'), 'utf8'));

  function formOf(config: Config, args: string[], pending: string | undefined): FormData {
    const file = args.includes('--secrets-file') && after(args, '--secrets-file');
    const secrets: Record<string, string> = file ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const bindings = [
      ...config.kv_namespaces.map(({ binding: name, id }) => ({
        type: 'kv_namespace',
        name,
        namespace_id: id,
      })),
      ...config.d1_databases.map(({ binding: name, database_id: id }) => ({
        type: 'd1',
        name,
        id,
      })),
      ...config.r2_buckets.map(({ binding: name, bucket_name }) => ({
        type: 'r2_bucket',
        name,
        bucket_name,
      })),
      ...(config.queues.producers ?? []).map(({ binding: name, queue: queue_name }) => ({
        type: 'queue',
        name,
        queue_name,
      })),
      ...Object.entries(config.vars ?? {}).map(([name, text]) => ({
        type: 'plain_text',
        name,
        text,
      })),
      ...Object.entries(secrets).map(([name, text]) => ({ type: 'secret_text', name, text })),
    ];
    const annotations = { 'workers/tag': after(args, '--tag') };
    const metadata = {
      bindings,
      annotations,
      ...(pending && { migrations: { new_tag: pending } }),
    };
    const form = new FormData();
    form.set('metadata', JSON.stringify(metadata));
    return form;
  }

  async function triggers(config: Config): Promise<void> {
    for (const { queue, dead_letter_queue, ...settings } of config.queues.consumers ?? []) {
      const [found] = await call<{ queue_id: string }[]>('GET', `/queues?name=${queue}`);
      if (!found) throw new Failed(`Queue "${queue}" does not exist`);
      const path = `/queues/${found.queue_id}/consumers`;
      const [consumer] = await call<{ consumer_id: string }[]>('GET', path);
      const body = { type: 'worker', script_name: config.name, dead_letter_queue, settings };
      if (consumer) await call('PUT', `${path}/${consumer.consumer_id}`, body);
      else await call('POST', path, body);
    }
    const domains = (config.routes ?? []) as { pattern: string }[];
    if (domains.length === 0) return;
    const origins = domains.map(({ pattern: hostname }) => ({ hostname }));
    await call('PUT', `/workers/scripts/${config.name}/domains/records`, { origins });
  }

  async function deploy(args: string[]): Promise<void> {
    const config = configOf(args);
    const scripts = await call<{ id: string; migration_tag: string | null }[]>(
      'GET',
      '/workers/scripts',
    );
    const script = scripts.find(({ id }) => id === config.name);
    const last = config.migrations?.at(-1)?.tag;
    const pending = script?.migration_tag === last ? undefined : last;
    const path = `/workers/scripts/${config.name}`;
    if (script && !pending) {
      const { id } = await call<{ id: string }>(
        'POST',
        `${path}/versions`,
        formOf(config, args, undefined),
      );
      const versions = [{ version_id: id, percentage: 100 }];
      await call('POST', `${path}/deployments`, { strategy: 'percentage', versions });
    } else await call('PUT', path, formOf(config, args, pending));
    await triggers(config);
  }

  async function migrate(args: string[]): Promise<void> {
    const config = configOf(args);
    const found = config.d1_databases.find(({ database_name }) => database_name === args[3]);
    const path = `/d1/database/${found?.database_id}/query`;
    const query = <Row>(sql: string) => call<{ results: Row[] }[]>('POST', path, { sql });
    await query(
      'CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    );
    const [list] = await query<{ name: string }>('SELECT name FROM d1_migrations ORDER BY id');
    const applied = new Set(list?.results.map(({ name }) => name));
    const folder = join(dirname(after(args, '--config')), found?.migrations_dir ?? '');
    for (const file of readdirSync(folder).sort()) {
      if (!file.endsWith('.sql') || applied.has(file)) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      await query(`${text}\nINSERT INTO d1_migrations (name) values ('${file}');`);
    }
  }

  async function deployVersions(args: string[]): Promise<void> {
    const name = args.includes('--name') ? after(args, '--name') : configOf(args).name;
    const versions = args
      .filter((arg) => /^[\da-f-]{36}@\d+$/.test(arg))
      .map((arg) => arg.split('@'))
      .map(([version_id, percentage]) => ({ version_id, percentage: Number(percentage) }));
    const annotations = { 'workers/message': after(args, '--message') };
    await call('POST', `/workers/scripts/${name}/deployments`, { versions, annotations });
  }

  async function upload(args: string[]): Promise<void> {
    const config = configOf(args);
    const form = formOf(config, args, undefined);
    await call('POST', `/workers/scripts/${config.name}/versions`, form);
  }

  const commands: Record<string, (args: string[]) => Promise<void>> = {
    'd1 migrations': migrate,
    'versions upload': upload,
    'versions deploy': deployVersions,
    'triggers deploy': (args) => triggers(configOf(args)),
  };

  return async (args) => {
    const command = args[0] === 'deploy' ? deploy : commands[args.slice(0, 2).join(' ')];
    try {
      if (!command) throw new Failed(`no such command: ${args.join(' ')}`);
      await command(args);
      return { code: 0, stdout: '', stderr: '' };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return { code: 1, stdout: '', stderr: `✘ [ERROR] ${error.message}` };
    }
  };
}
