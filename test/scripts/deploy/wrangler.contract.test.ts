import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deploy, rollBack } from '../../../scripts/deploy/run-deploy.ts';
import { runWrangler } from '../../../scripts/wrangler.ts';
import { account, createCloudflare, token } from '../../fakes/cloudflare/server.ts';
import { contentOf, fixture, writeBuild } from './deploy-fixture.ts';

const fake = createCloudflare();
const server = createServer(async (request, reply) => {
  const { method = 'GET', url = '/', headers } = request;
  const sent = new Uint8Array(await buffer(request));
  const body = sent.length > 0 ? sent : undefined;
  const init = { method, headers: headers as Record<string, string>, body };
  const response = await fake.fetch(`http://127.0.0.1${url}`, init);
  reply.writeHead(response.status, Object.fromEntries(response.headers));
  reply.end(Buffer.from(await response.arrayBuffer()));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

const real = () =>
  runWrangler({
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
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
