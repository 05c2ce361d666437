import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { Env } from '../../../worker/platform/env.ts';
import {
  captureLogEvents,
  dayMs,
  owner,
  runAlarm,
  type Stub,
  stubStripe,
} from '../payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  signedInHeaders,
  stubOf,
} from '../payments/purchase-helpers.ts';
import { recordingQueue } from '../queue.ts';
import { request } from '../request.ts';

afterEach(() => env.DB.exec('DELETE FROM entitlements'));

const url = 'https://app.example/webhooks';

/** Gives an account's object a receiver, and a queue that keeps the changes. */
async function withReceiver(stub: Stub) {
  const { sent, queue } = recordingQueue();
  await runInDurableObject(stub, (object: Purchases) => {
    const objectEnv = (object as unknown as { env: Env }).env;
    const value = { ...objectEnv, ENTITLEMENT_WEBHOOK_URL: url, ENTITLEMENT_QUEUE: queue };
    Object.defineProperty(object, 'env', { value, configurable: true });
  });
  return sent as {
    version: number;
    account: string;
    at: number;
    active: { reason: string; until: number | null }[];
  }[];
}

test('entitlements: each change gets the next version: bought, renewed, cancelled, ended by time', async () => {
  const { stub, later, runAlarm: run, attempt, wait } = await owner();
  const changes = await withReceiver(stub);
  const reasons = () => changes.map(({ version, active }) => [version, active[0]?.reason]);
  expect(await stub.entitlements()).toMatchObject({
    version: 1,
    active: [{ reason: 'subscription' }],
  });
  // Now as stated by the gateway.
  await stub.sync();
  await run();
  const { version: first } = await stub.entitlements();
  await stub.sync();
  await run();
  expect(await stub.entitlements()).toMatchObject({ version: first });
  changes.splice(0);
  later(32);
  await stub.sync();
  await run();
  expect(reasons()).toEqual([[first + 1, 'subscription']]);
  await stub.cancelSubscription(attempt.id);
  await run();
  await run();
  expect(reasons().at(-1)?.[1]).toBe('kept_until_end');
  const { active, version } = await stub.entitlements();
  // It ends by time alone; the object's alarm runs by itself.
  const until = active[0]?.until ?? 0;
  expect(
    await runInDurableObject(stub, (_, { storage }) => storage.getAlarm()),
  ).toBeLessThanOrEqual(until);
  wait(until - Date.now());
  await run();
  expect(changes.at(-1)).toMatchObject({
    version: version + 1,
    active: [],
    account: expect.any(String),
  });
  expect(JSON.stringify(changes)).not.toContain('@');
});

test('entitlements: a change waits in the outbox while the queue is down', async () => {
  const { stub, attempt, runAlarm: run } = await owner();
  const changes = await withReceiver(stub);
  const refuse = vi.fn(() => Promise.reject(new Error('down')));
  await runInDurableObject(stub, (object: Purchases) => {
    const objectEnv = (object as unknown as { env: Env }).env;
    const { send } = objectEnv.ENTITLEMENT_QUEUE;
    Object.assign(objectEnv, { ENTITLEMENT_QUEUE: { send: refuse } });
    refuse.mockImplementationOnce(() => Promise.reject(new Error('down')));
    refuse.mockImplementation(((...sent: Parameters<typeof send>) => send(...sent)) as never);
  });
  await stub.cancelSubscription(attempt.id);
  await run();
  await run();
  expect(changes.map(({ version }) => version)).toContain(2);
});

const read = async (
  headers: Record<string, string>,
  more: Partial<Env> = {},
  path = '/entitlements',
) => {
  const response = await request(`/api/v1${path}`, { headers }, { ...env, ...more });
  return {
    status: response.status,
    ...((await response.json()) as { data: never; errors?: { code: string } }),
  };
};

const silent = {
  getByName: () => ({ entitlements: () => Promise.reject(new Error('silent')) }),
} as never;

async function buyPlan() {
  stubStripe();
  const headers = await signedInHeaders();
  await pollUntilDone(await pollingId('monthly_usd', card(), headers));
  const stub = stubOf(headers);
  await runAlarm(stub);
  return { headers, id: stub.name ?? '' };
}

test('entitlements: the app reads each active entitlement with its end and reason; if the object does not answer, D1 does', async () => {
  const { headers, id } = await buyPlan();
  const { status, data } = await read(headers);
  const until = expect.stringMatching(/^\d{4}-.*Z$/);
  const main = { slot: 'main', kind: 'plan', plan: 'monthly_usd', reason: 'subscription', until };
  expect({ status, data }).toEqual({
    status: 200,
    data: { account: id, version: 1, active: [main], source: 'account' },
  });
  const logged = captureLogEvents();
  const copy = await read(headers, { PURCHASES: silent });
  expect(copy.data).toEqual({ ...(data as object), source: 'copy' });
  expect(logged()).toContain('entitlements_served_from_copy');
  // The copy ends it by its own date, too.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * dayMs });
  const key = await serverKey();
  expect(
    (await read(key.headers, { ...key.vars, PURCHASES: silent }, `/accounts/${id}/entitlements`))
      .data,
  ).toMatchObject({ active: [] });
});

test('entitlements: an account without a purchase has none; 503 if neither object nor copy answers', async () => {
  const headers = await signedInHeaders();
  expect((await read(headers)).data).toMatchObject({
    version: 0,
    active: [],
    account: stubOf(headers).name,
  });
  expect(await read(headers, { PURCHASES: silent })).toMatchObject({
    status: 503,
    errors: { code: 'unavailable' },
  });
  expect((await read({})).status).toBe(401);
});

const hashOf = async (key: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))).toString('hex');

async function serverKey(name = 'one') {
  const key = `sk_${name.padEnd(43, 'x')}`;
  return {
    headers: { authorization: `Bearer ${key}` },
    vars: { SERVER_KEY_HASHES: await hashOf(key) },
  };
}

test('entitlements: the app’s server reads any account with a key; two keys are valid during a rotation', async () => {
  const { id, headers } = await buyPlan();
  const path = `/accounts/${id}/entitlements`;
  const [one, two, other] = await Promise.all(['one', 'two', 'other'].map(serverKey));
  const SERVER_KEY_HASHES = `${one?.vars.SERVER_KEY_HASHES}, ${two?.vars.SERVER_KEY_HASHES}`;
  for (const key of [one, two]) {
    expect((await read(key?.headers ?? {}, { SERVER_KEY_HASHES }, path)).data).toMatchObject({
      account: id,
      version: 1,
    });
  }
  // An access token is not a server key, and without hashes no key is valid.
  expect((await read(other?.headers ?? {}, { SERVER_KEY_HASHES }, path)).status).toBe(401);
  expect((await read(headers, { SERVER_KEY_HASHES }, path)).status).toBe(401);
  expect((await read(one?.headers ?? {}, {}, path)).status).toBe(401);
  const nobody = `/accounts/${crypto.randomUUID()}/entitlements`;
  expect(await read(one?.headers ?? {}, { SERVER_KEY_HASHES }, nobody)).toMatchObject({
    status: 404,
  });
});
