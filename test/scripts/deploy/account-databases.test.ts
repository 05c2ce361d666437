import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploy, rollBack } from '../../../scripts/deploy/run-deploy.ts';
import { writeVars } from '../../../scripts/deploy/vars-file.ts';
import { contentOf, faults, fixture, writeBuild } from './deploy-fixture.ts';

const options = { environment: null, plan: false, staged: false };
const siteUrl = 'https://funnel.example';

/** A project with this many account databases. */
function sharded(counts: string) {
  const deployment = fixture();
  const set = (text: string) =>
    writeVars(join(deployment.tools.folder, 'wrangler.toml'), { ACCOUNT_DATABASES: text });
  set(counts);
  return { ...deployment, set };
}

const namesOf = ({ fake }: ReturnType<typeof sharded>) =>
  fake.state.databases.map(({ name }) => name).sort();

/** Names of the newest version's account databases, and its variable. */
function boundBy({ fake }: ReturnType<typeof sharded>) {
  const bindings = fake.state.workers.funnel?.versions.at(-1)?.bindings ?? [];
  const ids = new Map(fake.state.databases.map(({ uuid, name }) => [uuid, name]));
  return {
    bound: bindings
      .filter(({ type, name }) => type === 'd1' && name.startsWith('DB_'))
      .map(({ name, id }) => `${name} ${ids.get(String(id))}`),
    counts: bindings.find(({ name }) => name === 'ACCOUNT_DATABASES')?.text,
  };
}

test('account databases: a deploy creates them with replicas and the tables of DB, and binds them by number', async () => {
  const deployment = sharded('3');
  await deploy(options, deployment.tools);
  const { databases } = contentOf(deployment.fake.state);
  const [first] = databases.filter(([name]) => name === 'funnel');
  const accounts = databases.filter(([name]) => String(name).startsWith('funnel-accounts-'));
  expect(accounts.map(([name]) => name).sort()).toEqual(
    [1, 2, 3].map((n) => `funnel-accounts-${n}`),
  );
  for (const [, ...rest] of accounts) expect(rest).toEqual(first?.slice(1));
  expect(boundBy(deployment)).toEqual({
    bound: [1, 2, 3].map((number) => `DB_${number} funnel-accounts-${number}`),
    counts: '3',
  });
  deployment.printed.length = 0;
  await deploy(options, deployment.tools);
  expect(deployment.printed.filter((line) => /Created|Migrated/.test(line))).toEqual([]);
});

test('account databases: an environment has databases of its own', async () => {
  const deployment = sharded('');
  writeVars(join(deployment.tools.folder, 'wrangler.staging.toml'), { ACCOUNT_DATABASES: '1' });
  await deploy({ ...options, environment: 'staging' }, deployment.tools);
  expect(namesOf(deployment)).toEqual([
    'funnel--staging',
    'funnel-accounts-1--staging',
    'funnel-analytics--staging',
  ]);
});

test('account databases: counts can only be appended; any other change is refused', async () => {
  const deployment = sharded('2');
  await deploy(options, deployment.tools);
  const before = contentOf(deployment.fake.state).databases;
  for (const wrong of ['', '1', '3', '2,2', '4,2', 'two']) {
    deployment.set(wrong);
    await expect(deploy(options, deployment.tools)).rejects.toThrow('ACCOUNT_DATABASES');
  }
  expect(contentOf(deployment.fake.state).databases).toEqual(before);
  deployment.set('2,3');
  await deploy(options, deployment.tools);
  expect(contentOf(deployment.fake.state).databases).toEqual(expect.arrayContaining(before));
  expect(boundBy(deployment).bound).toEqual([1, 2, 3].map((n) => `DB_${n} funnel-accounts-${n}`));
});

test('account databases: no version that lacks a database gets visitors, neither in a rollout nor after a rollback', async () => {
  const deployment = sharded('');
  writeVars(join(deployment.tools.folder, 'wrangler.toml'), { SITE_URL: siteUrl });
  await deploy(options, deployment.tools);
  deployment.set('2');
  const before = JSON.stringify(deployment.fake.state);
  await expect(deploy({ ...options, staged: true }, deployment.tools)).rejects.toThrow('--staged');
  expect(JSON.stringify(deployment.fake.state)).toBe(before);
  await deploy(options, deployment.tools);
  await expect(rollBack(null, deployment.tools)).rejects.toThrow('would lose accounts');
  const live = deployment.fake.state.workers.funnel?.deployments[0]?.versions;
  writeBuild(deployment.tools.dist, 'second');
  await deploy(options, deployment.tools);
  await rollBack(null, deployment.tools);
  expect(deployment.fake.state.workers.funnel?.deployments[0]?.versions).toEqual(live);
});

test('account databases: after any failed request, a second run ends in the same state as a run without faults', async () => {
  const faultless = sharded('2');
  await deploy(options, faultless.tools);
  const expected = contentOf(faultless.fake.state);
  const every = process.env.FULL === '1' ? 1 : 5;
  for (let nth = 1; nth <= faultless.requests(); nth += every) {
    const deployment = sharded('2');
    deployment.breakAt(nth, faults[nth % faults.length] ?? 'lost');
    const failed = await deploy(options, deployment.tools).catch((error: Error) => error.message);
    if (failed) await deploy(options, deployment.tools);
    expect([nth, contentOf(deployment.fake.state)]).toEqual([nth, expected]);
  }
});
