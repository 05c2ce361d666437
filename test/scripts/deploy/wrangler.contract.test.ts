import { afterAll, beforeAll, expect, test } from 'vitest';
import { deploy, rollBack } from '../../../scripts/deploy/run-deploy.ts';
import { runWrangler } from '../../../scripts/wrangler.ts';
import { account, createCloudflare, token } from '../../fakes/cloudflare/server.ts';
import { serveFake } from '../../fakes/serve-fake.ts';
import { contentOf, fixture, writeBuild } from './deploy-fixture.ts';

const fake = createCloudflare();
let site: Awaited<ReturnType<typeof serveFake>>;
beforeAll(async () => {
  site = await serveFake('http://127.0.0.1', fake.fetch);
});
afterAll(() => site.close());

const real = () =>
  runWrangler({
    CLOUDFLARE_API_BASE_URL: `${site.url}/client/v4`,
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: account,
    WRANGLER_SEND_METRICS: 'false',
    CI: '1',
  });

const options = { environment: 'staging', plan: false, staged: false };

/** A first deploy, a staged one and a rollback. */
async function walk({ tools }: ReturnType<typeof fixture>) {
  await deploy(options, tools);
  writeBuild(tools.dist, 'second');
  await deploy({ ...options, staged: true }, tools);
  await rollBack('staging', tools);
}

// Wrangler takes seconds to start.
test.runIf(process.env.FULL === '1')(
  'wrangler: the real command and its fake have the same effects',
  { timeout: 300_000 },
  async () => {
    const local = fixture();
    await walk(local);
    await walk(fixture({ run: real() }, fake));
    expect(fake.unknown).toEqual([]);
    const [theirs, ours] = [contentOf(fake.state), contentOf(local.fake.state)];
    expect(theirs).toEqual(ours);
  },
);
