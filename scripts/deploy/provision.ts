import { CommandError } from '../command.ts';
import type { Cloudflare } from './cloudflare-api.ts';
import type { ResourceIds, Resources } from './resources.ts';

interface Namespace {
  id: string;
  title: string;
}

interface Database {
  uuid: string;
  name: string;
  read_replication?: { mode: 'auto' | 'disabled' };
}

/** A resource of the account, found by its name. */
interface Found {
  kind: string;
  name: string;
  exists: boolean;
  create(): Promise<void>;
}

export interface Inspected {
  resources: Found[];
  ids: ResourceIds;
}

/** Names are unique in the account, so the next run continues an interrupted one. Creates nothing. */
export async function inspect(api: Cloudflare, wanted: Resources): Promise<Inspected> {
  const ids: ResourceIds = { kv: {}, d1: {} };
  const namespaces = await api.list<Namespace>('/accounts/storage/kv/namespaces');
  const kv = wanted.kv.map(({ binding, name }) => {
    const found = namespaces.find(({ title }) => title === name);
    if (found) ids.kv[binding] = found.id;
    return {
      kind: 'KV namespace',
      name,
      exists: found !== undefined,
      create: async () => {
        const body = { title: name };
        ids.kv[binding] = (
          await api.send<Namespace>('POST', '/accounts/storage/kv/namespaces', body)
        ).id;
      },
    };
  });
  const d1 = await Promise.all(wanted.d1.map((each) => database(api, each, ids)));
  const r2 = await Promise.all(wanted.r2.map((each) => bucket(api, each)));
  const queues = await api.list<{ queue_name: string }>('/accounts/queues');
  const listed = new Set(queues.map(({ queue_name }) => queue_name));
  const queue = wanted.queues.map((name) => ({
    kind: 'Queue',
    name,
    exists: listed.has(name),
    create: async () => void (await api.send('POST', '/accounts/queues', { queue_name: name })),
  }));
  const domain = wanted.subdomain ? [await subdomain(api, wanted.subdomain)] : [];
  return { resources: [...kv, ...d1.flat(), ...r2.flat(), ...queue, ...domain], ids };
}

/** A database and its read replicas, which the Worker's sessions use. */
async function database(
  api: Cloudflare,
  { binding, name }: Resources['d1'][number],
  ids: ResourceIds,
): Promise<Found[]> {
  const found = await api.find<Database>(`/accounts/d1/database/${name}`);
  if (found) ids.d1[binding] = found.uuid;
  const itself = {
    kind: 'D1 database',
    name,
    exists: found !== null,
    create: async () => {
      const { uuid } = await api.send<Database>('POST', '/accounts/d1/database', { name });
      ids.d1[binding] = uuid;
    },
  };
  const replicas = {
    kind: 'D1 replicas',
    name,
    exists: found?.read_replication?.mode === 'auto',
    create: async () => {
      const body = { read_replication: { mode: 'auto' } };
      await api.send('PUT', `/accounts/d1/database/${ids.d1[binding]}`, body);
    },
  };
  return [itself, replicas];
}

interface LifecycleRule {
  id: string;
  deleteObjectsTransition?: { condition: { type: string; maxAge?: number } };
}

const daySeconds = 24 * 60 * 60;

/** A bucket and the rule that deletes its objects; other rules are kept. */
async function bucket(
  api: Cloudflare,
  { name, keptDays }: Resources['r2'][number],
): Promise<Found[]> {
  const path = `/accounts/r2/buckets/${name}`;
  const exists = (await api.find(path)) !== null;
  const create = async () => void (await api.send('POST', '/accounts/r2/buckets', { name }));
  const itself = { kind: 'R2 bucket', name, exists, create };
  if (keptDays === null) return [itself];
  type Rules = { rules: LifecycleRule[] };
  const id = 'funnel-retention';
  const read = async () => (await api.find<Rules>(`${path}/lifecycle`))?.rules ?? [];
  const maxAge = keptDays * daySeconds;
  const rules = exists ? await read() : [];
  const ours = rules.find((rule) => rule.id === id);
  const rule = {
    kind: 'R2 lifecycle',
    name: `${name}: ${keptDays} days`,
    exists: ours?.deleteObjectsTransition?.condition.maxAge === maxAge,
    create: async () => {
      const others = (await read()).filter((each) => each.id !== id);
      const condition = { type: 'Age', maxAge };
      const deletes = {
        id,
        enabled: true,
        conditions: { prefix: '' },
        deleteObjectsTransition: { condition },
      };
      await api.send('PUT', `${path}/lifecycle`, { rules: [...others, deletes] });
    },
  };
  return [itself, rule];
}

/** The account's subdomain on workers.dev, which a new account does not have. */
async function subdomain(api: Cloudflare, name: string): Promise<Found> {
  const found = await api.find<{ subdomain: string }>('/accounts/workers/subdomain');
  if (found && found.subdomain !== name)
    throw new CommandError(
      `SITE_URL is in ${name}.workers.dev, but this account's subdomain is ${found.subdomain}.`,
    );
  return {
    kind: 'Subdomain',
    name: `${name}.workers.dev`,
    exists: found !== null,
    create: async () =>
      void (await api.send('PUT', '/accounts/workers/subdomain', { subdomain: name })),
  };
}

/** Names of migrations that a database does not have yet. @param id undefined before it exists */
export async function pendingMigrations(
  api: Cloudflare,
  id: string | undefined,
  files: readonly string[],
): Promise<string[]> {
  if (id === undefined) return [...files];
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'";
  const query = async (statement: string) => {
    const body = { sql: statement };
    const [first] = await api.send<{ results: { name: string }[] }[]>(
      'POST',
      `/accounts/d1/database/${id}/query`,
      body,
    );
    return (first?.results ?? []).map(({ name }) => name);
  };
  if ((await query(sql)).length === 0) return [...files];
  const applied = new Set(await query('SELECT name FROM d1_migrations'));
  return files.filter((file) => !applied.has(file));
}
