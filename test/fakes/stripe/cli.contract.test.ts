import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStripe } from './server.ts';

const run = promisify(execFile);
const cli = 'node_modules/@stripe/cli/bin/shim.js';
const key = 'sk_test_123456789012345678901234';

const fake = createStripe();
const server = createServer(async (asked, answered) => {
  const { method = 'GET', url = '/' } = asked;
  const body = method === 'GET' ? undefined : new Uint8Array(await buffer(asked));
  const headers = { authorization: asked.headers.authorization ?? '' };
  const answer = await fake.fetch(`https://api.stripe.com${url}`, { method, headers, body });
  answered.writeHead(answer.status).end(await answer.text());
});
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stripe-cli-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Stripe's own fixtures, replayed by its command line against the fake. */
test.each([
  'coupon.created',
  'customer.updated',
  'customer.deleted',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
])('stripe trigger %s', async (event) => {
  const { port } = server.address() as AddressInfo;
  const where = ['--api-base', `http://127.0.0.1:${port}`, '--api-key', key];
  await run(process.execPath, [cli, 'trigger', event, ...where], {
    env: { ...process.env, XDG_CONFIG_HOME: home, HOME: home },
  });
  expect(Object.values(fake.state.events).map(({ type }) => type)).toContain(event);
});
