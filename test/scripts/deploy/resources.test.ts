import { describe, expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import {
  forEnvironment,
  resourcesOf,
  type WorkerConfig,
  withIds,
} from '../../../scripts/deploy/resources.ts';

const toml = readConfig({ config: 'wrangler.toml' }, { hideWarnings: true }) as WorkerConfig;
const production = forEnvironment(toml, null, { ENVIRONMENT: 'production' });
const staging = forEnvironment(toml, 'staging', { ENVIRONMENT: 'production' });
const names = ({ kv, d1, r2, queues }: ReturnType<typeof resourcesOf>) => [
  ...[...kv, ...d1].map(({ name }) => name),
  ...r2.map(({ name }) => name),
  ...queues,
];

describe('resources of wrangler.toml', () => {
  test('production keeps the names of the file', () => {
    expect(production).toMatchObject({ name: 'funnel', queues: toml.queues });
    expect(resourcesOf(production, 'ACC1').d1.map(({ name }) => name)).toEqual(
      toml.d1_databases.map(({ database_name }) => database_name),
    );
  });

  test('every queue is created with its dead-letter queue', () => {
    const { queues } = resourcesOf(production, 'ACC1');
    expect(new Set(queues).size).toBe(queues.length);
    for (const { binding, queue = '' } of toml.queues.producers ?? []) {
      expect([binding, queues.filter((name) => name.startsWith(queue))]).toEqual([
        binding,
        expect.arrayContaining([queue, `${queue}-dead`]),
      ]);
    }
  });

  test('the file contains no id of an account', () => {
    expect([...toml.kv_namespaces.map(({ id }) => id)].filter(Boolean)).toEqual([]);
    expect(toml.d1_databases.filter(({ database_id }) => database_id)).toEqual([]);
  });

  test('an environment shares no resource, Worker or rate limit with production', () => {
    const [ours, theirs] = [
      names(resourcesOf(production, 'ACC1')),
      names(resourcesOf(staging, 'ACC1')),
    ];
    expect(theirs).toHaveLength(ours.length);
    expect(theirs.filter((name) => ours.includes(name))).toEqual([]);
    expect(staging.name).toBe('funnel-staging');
    const limits = (config: WorkerConfig) => config.ratelimits?.map((each) => each.namespace_id);
    expect(limits(staging)?.filter((id) => limits(production)?.includes(id))).toEqual([]);
    expect(limits(staging)?.every((id) => /^[1-9]\d*$/.test(id))).toBe(true);
  });

  test('an environment keeps every binding and every consumer with its dead-letter queue', () => {
    const bindings = ({ kv_namespaces, d1_databases, r2_buckets, queues }: WorkerConfig) =>
      [...kv_namespaces, ...d1_databases, ...r2_buckets, ...(queues.producers ?? [])].map(
        ({ binding }) => binding,
      );
    expect(bindings(staging)).toEqual(bindings(production));
    const queues = resourcesOf(staging, 'ACC1').queues;
    for (const { queue, dead_letter_queue } of staging.queues.consumers ?? []) {
      expect(queues).toEqual(expect.arrayContaining([queue, dead_letter_queue ?? queue]));
    }
  });

  test.each([
    ['https://funnel.example', [{ pattern: 'funnel.example', custom_domain: true }]],
    ['https://funnel.somebody.workers.dev', undefined],
    [undefined, undefined],
  ])('the site %s is routed to the Worker', (SITE_URL, routes) => {
    expect(forEnvironment(toml, null, { SITE_URL }).routes).toEqual(routes);
  });

  test('a site without a domain needs a subdomain of workers.dev', () => {
    expect(resourcesOf(production, 'ACC1').subdomain).toBe('funnel-acc1');
    const subdomainOf = (SITE_URL: string) =>
      resourcesOf(forEnvironment(toml, null, { SITE_URL }), 'ACC1').subdomain;
    expect(subdomainOf('https://funnel.somebody.workers.dev')).toBe('somebody');
    expect(subdomainOf('https://funnel.example')).toBeNull();
  });

  test('routes in the file are kept, for production only', () => {
    const own = { ...toml, routes: ['funnel.example/*'] };
    const SITE_URL = 'https://funnel.example';
    expect(forEnvironment(own, null, { SITE_URL }).routes).toEqual(['funnel.example/*']);
    expect(forEnvironment(own, 'staging', {}).routes).toBeUndefined();
  });

  test('ids are set by binding', () => {
    const ids = { kv: { FUNNEL: 'k' }, d1: { DB: 'd' } };
    const { kv_namespaces, d1_databases } = withIds(production, ids);
    expect(kv_namespaces).toContainEqual({ binding: 'FUNNEL', id: 'k' });
    expect(d1_databases[0]).toMatchObject({ binding: 'DB', database_id: 'd' });
  });
});
