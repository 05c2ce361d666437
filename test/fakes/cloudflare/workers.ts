import { randomUUID } from 'node:crypto';
import { type Call, ok, page, Refused } from './reply.ts';
import type { Binding, CloudflareState, StoredRule, StoredVersion, StoredWorker } from './state.ts';

interface Metadata {
  bindings?: Binding[];
  migrations?: { new_tag?: string };
  annotations?: Record<string, string>;
}

const versionView = ({ id, number, tag, bindings }: StoredVersion) => ({
  id,
  number,
  metadata: { created_on: '2026-01-01T00:00:00Z', author_email: '', source: 'wrangler' },
  annotations: { 'workers/tag': tag },
  resources: { script: { etag: id }, script_runtime: {}, bindings },
});

/** Workers with their versions, deployments and secrets, and zones. */
export const workerRoutes = (state: CloudflareState) => {
  const missing = () => new Refused(404, 10007, 'This Worker does not exist on your account.');
  const worker = (name: string): StoredWorker => {
    const found = state.workers[name];
    if (!found) throw missing();
    return found;
  };

  /** A binding to a missing resource is refused, as by the API (code 10021 and others). */
  function check(bindings: Binding[]): void {
    for (const { type, name, ...more } of bindings) {
      const exists: Record<string, () => boolean> = {
        kv_namespace: () => state.namespaces.some(({ id }) => id === more.namespace_id),
        d1: () => state.databases.some(({ uuid }) => uuid === (more.id ?? more.database_id)),
        r2_bucket: () => state.buckets.some((bucket) => bucket.name === more.bucket_name),
        queue: () => state.queues.some(({ queue_name }) => queue_name === more.queue_name),
      };
      if (exists[type]?.() === false) {
        throw new Refused(400, 10021, `binding ${name} of type ${type} names nothing that exists`);
      }
    }
  }

  async function add(name: string, form: FormData): Promise<StoredVersion> {
    const metadata = JSON.parse(String(form.get('metadata'))) as Metadata;
    const bindings = metadata.bindings ?? [];
    check(bindings);
    const newWorker: StoredWorker = {
      tag: randomUUID(),
      versions: [],
      deployments: [],
      secrets: {},
      migrationTag: null,
      crons: [],
      domains: [],
    };
    state.workers[name] ??= newWorker;
    const target = worker(name);
    for (const { type, name: secret, text } of bindings) {
      if (type === 'secret_text') target.secrets[secret] = String(text);
    }
    target.migrationTag = metadata.migrations?.new_tag ?? target.migrationTag;
    const version = {
      id: randomUUID(),
      number: target.versions.length + 1,
      tag: metadata.annotations?.['workers/tag'] ?? '',
      bindings: bindings.filter(({ type }) => type !== 'secret_text'),
    };
    target.versions.push(version);
    return version;
  }

  const give = (
    name: string,
    versions: { version_id: string; percentage: number }[],
    message = '',
  ) => {
    const target = worker(name);
    const total = versions.reduce((sum, { percentage }) => sum + percentage, 0);
    const known = versions.every(({ version_id }) =>
      target.versions.some(({ id }) => id === version_id),
    );
    if (!known) throw new Refused(400, 10205, 'A version does not exist.');
    if (total !== 100) throw new Refused(400, 10206, 'Percentages have to add up to 100.');
    const deployment = { id: randomUUID(), versions, message };
    target.deployments.unshift(deployment);
    return deployment;
  };

  return {
    'GET /workers/services/:a': ({ a }: Call) => {
      const { tag, migrationTag } = state.workers[a] ?? {};
      if (!tag) throw new Refused(404, 10090, 'This service does not exist.');
      const script = {
        id: a,
        tag,
        tags: [],
        migration_tag: migrationTag,
        last_deployed_from: 'wrangler',
      };
      return ok({ id: a, default_environment: { environment: 'production', script } });
    },
    'GET /workers/scripts': ({ url }: Call) =>
      page(
        Object.entries(state.workers).map(([id, { migrationTag }]) => ({
          id,
          migration_tag: migrationTag,
        })),
        url,
      ),
    'GET /workers/workers/:a': ({ a }: Call) => {
      worker(a);
      return ok({ name: a, subdomain: { enabled: true, previews_enabled: false } });
    },
    'GET /workers/scripts/:a/settings': ({ a }: Call) =>
      ok({
        bindings: worker(a).versions.at(-1)?.bindings ?? [],
        migration_tag: worker(a).migrationTag,
      }),
    'PUT /workers/scripts/:a': async ({ a, form }: Call) => {
      const { id } = await add(a, await form());
      give(a, [{ version_id: id, percentage: 100 }]);
      return ok({ id: a, deployment_id: id.replaceAll('-', ''), startup_time_ms: 1 });
    },
    'POST /workers/scripts/:a/versions': async ({ a, form }: Call) => {
      worker(a);
      return ok({ ...versionView(await add(a, await form())), startup_time_ms: 1 });
    },
    'GET /workers/scripts/:a/versions': ({ a }: Call) =>
      ok({ items: worker(a).versions.map(versionView).reverse() }),
    'GET /workers/scripts/:a/versions/:b': ({ a, b }: Call) => {
      const found = worker(a).versions.find(({ id }) => id === b);
      if (!found) throw new Refused(404, 10021, 'No such version.');
      return ok(versionView(found));
    },
    'GET /workers/scripts/:a/deployments': ({ a }: Call) =>
      ok({
        deployments: worker(a).deployments.map((each) => ({ ...each, strategy: 'percentage' })),
      }),
    'POST /workers/scripts/:a/deployments': async ({ a, json }: Call) => {
      type Body = {
        versions: { version_id: string; percentage: number }[];
        annotations?: Record<string, string>;
      };
      const { versions, annotations } = await json<Body>();
      return ok(give(a, versions, annotations?.['workers/message']));
    },
    'PATCH /workers/scripts/:a/script-settings': ({ a }: Call) => ok({ id: worker(a).tag }),
    'GET /workers/scripts/:a/secrets': ({ a }: Call) =>
      ok(Object.keys(worker(a).secrets).map((name) => ({ name, type: 'secret_text' }))),
    'POST /workers/scripts/:a/assets-upload-session': () => ok({ jwt: 'assets', buckets: [] }),
    'GET /workers/subdomain': () => {
      if (!state.subdomain) throw new Refused(404, 10007, 'There is no subdomain yet.');
      return ok({ subdomain: state.subdomain });
    },
    'PUT /workers/subdomain': async ({ json }: Call) => {
      const { subdomain } = await json<{ subdomain: string }>();
      if (state.subdomain) throw new Refused(409, 10036, 'The account has a subdomain already.');
      state.subdomain = subdomain;
      return ok({ subdomain });
    },
    'GET /workers/scripts/:a/subdomain': () => ok({ enabled: true, previews_enabled: false }),
    'POST /workers/scripts/:a/subdomain': () => ok({ enabled: true, previews_enabled: false }),
    'PUT /workers/scripts/:a/schedules': async ({ a, json }: Call) => {
      worker(a).crons = (await json<{ cron: string }[]>()).map(({ cron }) => cron);
      return ok({ schedules: [] });
    },
    'PUT /workers/scripts/:a/domains/records': async ({ a, json }: Call) => {
      const { origins } = await json<{ origins: { hostname: string }[] }>();
      worker(a).domains = origins.map(({ hostname }) => hostname);
      return ok(null);
    },
    'POST /workers/scripts/:a/domains/changeset': () =>
      ok({ added: [], removed: [], updated: [], conflicting: [] }),
    'GET /zones': ({ url }: Call) => {
      const name = url.searchParams.get('name');
      return page(
        state.zones.filter((zone) => name === null || zone.name === name),
        url,
      );
    },
    'GET /zones/:a/rulesets/phases/:b/entrypoint': ({ a }: Call) => {
      if (!state.rules[a]) throw new Refused(404, 10003, 'could not find entrypoint ruleset');
      return ok({ id: 'ruleset1', rules: state.rules[a] });
    },
    'PUT /zones/:a/rulesets/phases/:b/entrypoint': async ({ a, json }: Call) => {
      const { rules } = await json<{ rules: StoredRule[] }>();
      state.rules[a] = rules.map((rule, at) => ({ ...rule, id: rule.id ?? `rule${at}` }));
      return ok({ id: 'ruleset1', rules: state.rules[a] });
    },
  };
};
