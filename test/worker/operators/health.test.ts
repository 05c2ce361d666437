import { expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/platform/env.ts';
import { request } from '../request.ts';

const health = async (more: object = {}) => {
  const response = await request('/healthz', {}, more as Partial<Env>);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body = (await response.json()) as {
    ok: boolean;
    build: string;
    version: string | null;
    bindings: object;
    payments: string[];
    secrets: string[];
  };
  return { status: response.status, ...body };
};

const reject = () => Promise.reject(new Error('down'));
const hang = () => new Promise(() => {});
const healthy = { kv: 'ok', d1: 'ok', purchases: 'ok' };

test('health: responds with 200, the build, the version and the state of each binding', async () => {
  expect(await health({ CF_VERSION_METADATA: { id: 'v1', tag: '', timestamp: '' } })).toEqual({
    status: 200,
    ok: true,
    build: expect.stringMatching(/^[\da-f]{12}$/),
    version: 'v1',
    bindings: healthy,
    payments: [],
    secrets: [],
  });
});

test.each([
  ['d1', { DB: { prepare: () => ({ first: reject }) } }],
  ['kv', { FUNNEL: { get: reject } }],
  ['purchases', { PURCHASES: { getByName: () => ({ hasActiveMainPlan: reject }) } }],
])('health: when %s is down the response is 503 and names it', async (name, more) => {
  const { status, ok, bindings } = await health(more);
  expect([status, ok, bindings]).toEqual([503, false, { ...healthy, [name]: 'down' }]);
});

test('health: a missing binding is down', async () => {
  const none = { DB: undefined, FUNNEL: undefined, PURCHASES: undefined };
  const { status, bindings } = await health(none);
  expect([status, bindings]).toEqual([503, { kv: 'down', d1: 'down', purchases: 'down' }]);
});

test('health: a hanging binding is down after a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const answer = health({ DB: { prepare: () => ({ first: hang }) } });
  await vi.advanceTimersByTimeAsync(1000).finally(() => vi.useRealTimers());
  expect((await answer).bindings).toEqual({ ...healthy, d1: 'down' });
});

test('health: misconfigured payments are a 503 with the reason', async () => {
  const { status, ok, bindings, payments } = await health({ PAYPAL: 'stripe' });
  expect([status, ok, bindings]).toEqual([503, false, healthy]);
  expect(payments).toEqual([expect.stringMatching(/^PAYPAL=stripe cannot work/)]);
});

test('health: a short secret is a 503 that names it', async () => {
  const short = 'x'.repeat(31);
  const all = { ENVIRONMENT: 'production', ADMIN_TOKEN: short, PHONE_HASH_SECRET: short };
  const { status, ok, bindings, secrets } = await health(all);
  expect([status, ok, bindings]).toEqual([503, false, healthy]);
  expect(secrets).toEqual([
    'PHONE_HASH_SECRET needs 32 characters',
    'ADMIN_TOKEN needs 32 characters',
  ]);
  const long = { ENVIRONMENT: 'production', ADMIN_TOKEN: 'x'.repeat(32) };
  expect((await health(long)).secrets).toEqual([]);
  expect((await health({ ADMIN_TOKEN: short })).secrets).toEqual([]);
});
