import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploy, rollBack } from '../../../scripts/deploy/run-deploy.ts';
import { writeVars } from '../../../scripts/deploy/vars-file.ts';
import { contentOf, faults, fixture, writeBuild } from './deploy-fixture.ts';

const plainly = { environment: null, plan: false, staged: false };
const siteUrl = 'https://funnel.example';

/** A project with this many account databases. */
function sharded(counts: string) {
  const made = fixture();
  const set = (text: string) =>
    writeVars(join(made.tools.folder, 'wrangler.toml'), { ACCOUNT_DATABASES: text });
  set(counts);
  return { ...made, set };
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
  const made = sharded('3');
  await deploy(plainly, made.tools);
  const { databases } = contentOf(made.fake.state);
  const [first] = databases.filter(([name]) => name === 'funnel');
  const accounts = databases.filter(([name]) => String(name).startsWith('funnel-accounts-'));
  expect(accounts.map(([name]) => name).sort()).toEqual(
    [1, 2, 3].map((n) => `funnel-accounts-${n}`),
  );
  for (const [, ...rest] of accounts) expect(rest).toEqual(first?.slice(1));
  expect(boundBy(made)).toEqual({
    bound: [1, 2, 3].map((number) => `DB_${number} funnel-accounts-${number}`),
    counts: '3',
  });
  made.said.length = 0;
  await deploy(plainly, made.tools);
  expect(made.said.filter((line) => /Created|Migrated/.test(line))).toEqual([]);
});

test('account databases: an environment has databases of its own', async () => {
  const made = sharded('');
  writeVars(join(made.tools.folder, 'wrangler.staging.toml'), { ACCOUNT_DATABASES: '1' });
  await deploy({ ...plainly, environment: 'staging' }, made.tools);
  expect(namesOf(made)).toEqual([
    'funnel--staging',
    'funnel-accounts-1--staging',
    'funnel-analytics--staging',
  ]);
});

test('account databases: counts can only be appended; any other change is refused', async () => {
  const made = sharded('2');
  await deploy(plainly, made.tools);
  const before = contentOf(made.fake.state).databases;
  for (const wrong of ['', '1', '3', '2,2', '4,2', 'two']) {
    made.set(wrong);
    await expect(deploy(plainly, made.tools)).rejects.toThrow('ACCOUNT_DATABASES');
  }
  expect(contentOf(made.fake.state).databases).toEqual(before);
  made.set('2,3');
  await deploy(plainly, made.tools);
  expect(contentOf(made.fake.state).databases).toEqual(expect.arrayContaining(before));
  expect(boundBy(made).bound).toEqual([1, 2, 3].map((n) => `DB_${n} funnel-accounts-${n}`));
});

test('account databases: no version that lacks a database gets visitors, neither in a rollout nor after a rollback', async () => {
  const made = sharded('');
  writeVars(join(made.tools.folder, 'wrangler.toml'), { SITE_URL: siteUrl });
  await deploy(plainly, made.tools);
  made.set('2');
  const before = JSON.stringify(made.fake.state);
  await expect(deploy({ ...plainly, staged: true }, made.tools)).rejects.toThrow('--staged');
  expect(JSON.stringify(made.fake.state)).toBe(before);
  await deploy(plainly, made.tools);
  await expect(rollBack(null, made.tools)).rejects.toThrow('would lose accounts');
  const live = made.fake.state.workers.funnel?.deployments[0]?.versions;
  writeBuild(made.tools.dist, 'second');
  await deploy(plainly, made.tools);
  await rollBack(null, made.tools);
  expect(made.fake.state.workers.funnel?.deployments[0]?.versions).toEqual(live);
});

test('account databases: after any failed request, a second run ends in the same state as a run without faults', async () => {
  const whole = sharded('2');
  await deploy(plainly, whole.tools);
  const expected = contentOf(whole.fake.state);
  const stride = process.env.FULL === '1' ? 1 : 5;
  for (let nth = 1; nth <= whole.requests(); nth += stride) {
    const made = sharded('2');
    made.breakAt(nth, faults[nth % faults.length] ?? 'lost');
    const failed = await deploy(plainly, made.tools).catch((error: Error) => error.message);
    if (failed) await deploy(plainly, made.tools);
    expect([nth, contentOf(made.fake.state)]).toEqual([nth, expected]);
  }
});
