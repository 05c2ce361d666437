import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Rollout } from '../../../scripts/deploy/rollout.ts';
import { deploy, rollBack } from '../../../scripts/deploy/run-deploy.ts';
import { contentOf, faults, fixture, writeBuild } from './deploy-fixture.ts';

const options = { environment: 'staging', plan: false, staged: false };
const staged = { ...options, staged: true };
const worker = 'funnel-staging';
const site = 'https://staging.funnel.example';

type Watching = Partial<Omit<Rollout, 'wrangler' | 'print'>>;

const every = process.env.FULL === '1' ? 1 : 2;

/** A site with one version deployed, and the build of a second one. */
async function deployed(watching: Watching = {}) {
  const deployment = fixture();
  const { tools, fake } = deployment;
  const standard = tools.rollout({ site, worker });
  const all = { ...tools, rollout: () => ({ ...standard, ...watching }) };
  await deploy(options, all);
  writeBuild(tools.dist, 'second');
  const state = () => fake.state.workers[worker];
  const live = () =>
    state()?.deployments[0]?.versions.map(({ version_id, percentage }) => [
      state()?.versions.findIndex(({ id }) => id === version_id),
      percentage,
    ]);
  /** Percentage of the second version, deployment by deployment. */
  const percentages = () =>
    state()
      ?.deployments.map(
        ({ versions }) =>
          versions.find(({ version_id }) => version_id === state()?.versions[1]?.id)?.percentage,
      )
      .reverse();
  return { ...deployment, tools: all, live, percentages, state };
}

describe('a staged rollout', () => {
  test('gives a version to 0 %, 5 %, 25 % and 100 % of visitors, each of whom keeps one version', async () => {
    const walked: string[] = [];
    const walk = async (version: string) => {
      walked.push(version);
      return null;
    };
    const { tools, percentages, live, fake, state } = await deployed({ walk });
    await deploy(staged, tools);
    expect(percentages()).toEqual([undefined, 0, 5, 25, 100]);
    expect(live()).toEqual([[1, 100]]);
    expect(new Set(walked)).toEqual(new Set([state()?.versions[1]?.id]));
    expect(fake.state.rules.zone1).toMatchObject([
      {
        expression: 'http.host eq "staging.funnel.example"',
        action_parameters: {
          headers: {
            'Cloudflare-Workers-Version-Key': {
              operation: 'set',
              expression: 'concat(to_string(ip.src), http.user_agent)',
            },
          },
        },
      },
    ]);
  });

  test.each([0, 5, 25, 100])(
    'at %i % the version is rolled back when the synthetic visitor fails twice',
    async (percent) => {
      let reached = -1;
      const { tools, live, state } = await deployed({
        walk: async () => {
          const [share] = state()?.deployments[0]?.versions ?? [];
          reached = share?.percentage ?? -1;
          return reached >= percent ? '/signup answered 500' : null;
        },
      });
      await expect(deploy(staged, tools)).rejects.toThrow('/signup answered 500');
      expect([reached, live()]).toEqual([percent, [[0, 100]]]);
    },
  );

  test('a failed walk is repeated once', async () => {
    let walks = 0;
    const walk = async () => {
      walks += 1;
      return walks % 2 === 1 ? 'lost' : null;
    };
    const { tools, live } = await deployed({ walk });
    await deploy(staged, tools);
    expect(live()).toEqual([[1, 100]]);
  });

  test('after any failed request, a second run gives the new version to all', async () => {
    const clean = await deployed();
    const before = clean.requests();
    await deploy(staged, clean.tools);
    const expected = contentOf(clean.fake.state);
    const count = clean.requests() - before;
    for (let nth = 1; nth <= count; nth += every) {
      const { tools, fake, breakAt, state } = await deployed();
      const fault = faults[nth % faults.length] ?? 'lost';
      breakAt(nth, fault);
      const failed = await deploy(staged, tools).catch((error: Error) => error.message);
      if (failed) await deploy(staged, tools);
      const versions = state()?.versions.length;
      expect([nth, fault, versions, contentOf(fake.state)]).toEqual([nth, fault, 2, expected]);
    }
  });

  test('a plain deploy is refused during a rollout', async () => {
    const { tools, breakAt, live } = await deployed({
      walk: async () => {
        if (live()?.[0]?.[1] === 5) breakAt(1, 'never');
        return null;
      },
    });
    await expect(deploy(staged, tools)).rejects.toThrow();
    await expect(deploy(options, tools)).rejects.toThrow(
      '5 % of the visitors have a newer version',
    );
  });

  test('the very first version is deployed at once', async () => {
    const { tools, fake } = fixture();
    await deploy(staged, tools);
    expect(fake.state.workers[worker]?.deployments[0]?.versions).toHaveLength(1);
  });
});

describe('a rollback by hand', () => {
  test('serves the previous version to all; a second rollback serves the one before it', async () => {
    const { tools, live } = await deployed();
    await deploy(options, tools);
    expect(live()).toEqual([[1, 100]]);
    await rollBack('staging', tools);
    expect(live()).toEqual([[0, 100]]);
  });

  test('ends a rollout that was interrupted', async () => {
    const { tools, breakAt, live } = await deployed({
      walk: async () => {
        if (live()?.[0]?.[1] === 25) breakAt(1, 'never');
        return null;
      },
    });
    await expect(deploy(staged, tools)).rejects.toThrow();
    await rollBack('staging', tools);
    expect(live()).toEqual([[0, 100]]);
  });

  test('prints a message if there is no earlier version', async () => {
    const { tools } = await deployed();
    await expect(rollBack('staging', tools)).rejects.toThrow('no earlier version');
    expect(existsSync(join(tools.dist, 'worker/deploy.json'))).toBe(true);
  });
});
