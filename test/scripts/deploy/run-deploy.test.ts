import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deploy } from '../../../scripts/deploy/run-deploy.ts';
import { writeVars } from '../../../scripts/deploy/vars-file.ts';
import { contentOf, faults, fixture } from './deploy-fixture.ts';

const every = process.env.FULL === '1' ? 1 : 2;
const options = { environment: null, plan: false, staged: false };

/** The result of a deploy without faults, and its number of requests. */
async function deployWithoutFaults() {
  const { tools, fake, requests } = fixture();
  await deploy(options, tools);
  return { content: contentOf(fake.state), requests: requests(), unknown: fake.unknown };
}

describe('a first deploy', () => {
  test('creates every resource, generates and asks for secrets, migrates and deploys', async () => {
    const { tools, fake, printed } = fixture();
    await deploy(options, tools);
    const { state } = fake;
    expect(fake.unknown).toEqual([]);
    expect(state.workers.funnel?.deployments[0]?.versions).toHaveLength(1);
    expect(Object.keys(state.workers.funnel?.secrets ?? {}).sort()).toEqual([
      'ADMIN_TOKEN',
      'PHONE_HASH_SECRET',
      'TOKEN_SECRET',
    ]);
    const consumed = state.queues.filter(({ consumers }) => consumers.length === 1);
    expect(consumed.map(({ queue_name }) => queue_name)).toEqual(
      state.queues.map(({ queue_name }) => queue_name),
    );
    expect(state.databases.map(({ name, read_replication }) => [name, read_replication])).toEqual([
      ['funnel', { mode: 'auto' }],
      ['funnel-analytics', { mode: 'auto' }],
    ]);
    expect(state.buckets.find(({ name }) => name === 'funnel-events')?.lifecycle).toMatchObject([
      { id: 'Default Multipart Abort Rule' },
      { deleteObjectsTransition: { condition: { type: 'Age', maxAge: 7_776_000 } } },
    ]);
    expect(printed.at(-1)).toBe('Deployed: https://funnel.funnel-acc1.workers.dev');
  });

  test.each([
    ['', 'Set SITE_URL'],
    ['funnel.example', 'Set SITE_URL'],
    ['http://funnel.example', 'Set SITE_URL'],
    ['https://other.funnel-acc1.workers.dev', 'the Worker is called funnel'],
  ])(
    'deploy: with the SITE_URL %j it is refused before the first request',
    async (SITE_URL, why) => {
      for (const environment of [null, 'staging'])
        for (const plan of [true, false]) {
          const { tools, requests } = fixture();
          const file = environment ? `wrangler.${environment}.toml` : 'wrangler.toml';
          writeVars(join(tools.folder, file), { SITE_URL });
          await expect(deploy({ ...options, environment, plan }, tools)).rejects.toThrow(why);
          expect(requests()).toBe(0);
        }
    },
  );

  test('deploy: a SITE_URL in another account’s subdomain of workers.dev is refused', async () => {
    const { tools, fake } = fixture();
    await deploy(options, tools);
    const SITE_URL = 'https://funnel.somebody.workers.dev';
    writeVars(join(tools.folder, 'wrangler.toml'), { SITE_URL });
    await expect(deploy(options, tools)).rejects.toThrow('subdomain is funnel-acc1');
    expect(fake.state.workers.funnel?.versions).toHaveLength(1);
  });

  test('deploy: a second run creates nothing, asks nothing and deploys again', async () => {
    const { tools, fake, printed } = fixture();
    await deploy(options, tools);
    const [before, secrets] = [contentOf(fake.state), { ...fake.state.workers.funnel?.secrets }];
    printed.length = 0;
    const ask = () => Promise.reject(new Error('asked'));
    await deploy(options, { ...tools, ask });
    expect(contentOf(fake.state)).toEqual(before);
    expect(fake.state.workers.funnel?.secrets).toEqual(secrets);
    expect(fake.state.workers.funnel?.versions).toHaveLength(2);
    expect(printed.filter((line) => /Created|will be created|Secret/.test(line))).toEqual([]);
  });

  test('deploy: read replicas that were turned off are listed in the plan and turned on again', async () => {
    const { tools, fake, printed } = fixture();
    await deploy(options, tools);
    for (const each of fake.state.databases) each.read_replication = { mode: 'disabled' };
    printed.length = 0;
    await deploy({ ...options, plan: true }, tools);
    expect(printed.filter((line) => line.includes('will be created'))).toEqual([
      expect.stringMatching(/D1 replicas +funnel +will be created/),
      expect.stringMatching(/D1 replicas +funnel-analytics +will be created/),
    ]);
    await deploy(options, tools);
    expect(fake.state.databases.map((each) => each.read_replication.mode)).toEqual([
      'auto',
      'auto',
    ]);
  });

  test('deploy: --plan sends no changing request', async () => {
    const { tools, fake, printed } = fixture();
    const before = JSON.stringify(fake.state);
    await deploy({ ...options, plan: true }, tools);
    expect(JSON.stringify(fake.state)).toBe(before);
    expect(printed.join('\n')).toMatch(/Queue +funnel-events-dead +will be created/);
    expect(printed.join('\n')).toMatch(/D1 replicas +funnel-analytics +will be created/);
    expect(printed.join('\n')).toMatch(/Migration +funnel: 0001_tables.sql +will be applied/);
    expect(printed.join('\n')).toMatch(/Secret +TOKEN_SECRET +generated/);
  });

  test('deploy: after any failed request, a second run ends in the same state as a run without faults', async () => {
    const expected = await deployWithoutFaults();
    expect(expected.unknown).toEqual([]);
    let failures = 0;
    for (let nth = 1; nth <= expected.requests; nth += every) {
      const one = faults[nth % faults.length] ?? 'lost';
      for (const fault of process.env.FULL === '1' ? faults : [one]) {
        const { tools, fake, breakAt } = fixture();
        breakAt(nth, fault);
        const failed = await deploy(options, tools).catch((error: Error) => error.message);
        if (failed) failures += 1;
        if (failed) await deploy(options, tools);
        expect([nth, fault, contentOf(fake.state)]).toEqual([nth, fault, expected.content]);
      }
    }
    // The others hit reads, which are retried at once.
    expect(failures).toBeGreaterThan(expected.requests / every / 3);
  });
});

describe('a separate environment', () => {
  test('has its own resources and leaves those of production unchanged', async () => {
    const { tools, fake } = fixture();
    await deploy(options, tools);
    const before = structuredClone(fake.state.workers.funnel);
    await deploy({ ...options, environment: 'staging' }, tools);
    const { state } = fake;
    expect(state.workers.funnel).toEqual(before);
    const binds = (name: string) =>
      state.workers[name]?.versions[0]?.bindings.flatMap(({ namespace_id, id, queue_name }) =>
        String(namespace_id ?? id ?? queue_name ?? ''),
      ) ?? [];
    const shared = binds('funnel-staging').filter((id) => id && binds('funnel').includes(id));
    expect(shared).toEqual([]);
    const ours = state.queues.filter(({ queue_name }) => queue_name.endsWith('--staging'));
    expect(ours.length).toBe(state.queues.length / 2);
    expect(new Set(ours.flatMap(({ consumers }) => consumers.map(({ script }) => script)))).toEqual(
      new Set(['funnel-staging']),
    );
  });
});
