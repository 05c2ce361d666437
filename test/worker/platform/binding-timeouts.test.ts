import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { withBindingTimeouts } from '../../../worker/platform/binding-timeouts.ts';
import type { Env } from '../../../worker/platform/env.ts';

const over = (more: object) => withBindingTimeouts({ ...env, ...more } as unknown as Env);
const hang = () => new Promise<never>(() => {});
const reject = () => Promise.reject(new TypeError('gone'));
const down = (binding: string, message: string) =>
  expect.objectContaining({ name: 'Unavailable', binding, message });

test('binding timeouts: statements, batches, assets, queues and objects work as before', async () => {
  const { DB, ASSETS, EMAIL_QUEUE, PURCHASES } = withBindingTimeouts(env);
  expect(await DB.prepare('SELECT ?1 AS one').bind(1).first('one')).toBe(1);
  const [first] = await DB.batch([DB.prepare('SELECT 2 AS two'), DB.prepare('SELECT 3').bind()]);
  expect(first?.results).toEqual([{ two: 2 }]);
  expect((await ASSETS.fetch(new Request('https://assets/none'))).status).toBe(404);
  expect('send' in EMAIL_QUEUE).toBe(true);
  const id = PURCHASES.idFromName('somebody');
  expect(await PURCHASES.get(id).activePlan('main')).toBeNull();
  expect(await PURCHASES.getByName('somebody').hasActiveMainPlan()).toBe(false);
  expect(PURCHASES.idFromString(id.toString()).equals(id)).toBe(true);
});

test('binding timeouts: an environment is wrapped once', () => {
  expect(withBindingTimeouts(env)).toBe(withBindingTimeouts(env));
  expect(withBindingTimeouts(withBindingTimeouts(env))).toBe(withBindingTimeouts(env));
});

test.each([
  ['rejects', { prepare: () => ({ bind: () => ({ first: reject }) }) }, 'gone'],
  [
    'throws',
    {
      prepare: () => {
        throw new TypeError('gone');
      },
    },
    'gone',
  ],
])(
  'binding timeouts: a database that %s throws Unavailable with the reason',
  async (_, DB, reason) => {
    const query = async () => over({ DB }).DB.prepare('SELECT 1').bind(1).first();
    await expect(query()).rejects.toEqual(down('DB', reason));
  },
);

test.each<[string, number, object, (env: Env) => Promise<unknown>]>([
  ['DB', 5000, { batch: hang }, ({ DB }) => DB.batch([])],
  ['ASSETS', 5000, { fetch: hang }, ({ ASSETS }) => ASSETS.fetch(new Request('https://a/'))],
  ['EVENT_QUEUE', 5000, { sendBatch: hang }, ({ EVENT_QUEUE }) => EVENT_QUEUE.sendBatch([])],
  [
    'PURCHASES',
    12_000,
    { getByName: () => ({ hasActiveMainPlan: hang }) },
    ({ PURCHASES }) => PURCHASES.getByName('a').hasActiveMainPlan() as Promise<boolean>,
  ],
])('binding timeouts: %s times out after %i ms', async (name, ms, binding, call) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = vi.fn();
  const pending = call(over({ [name]: binding })).catch(late);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(late).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await pending;
  expect(late).toHaveBeenCalledWith(down(name, 'no answer'));
});

test('binding timeouts: an answered call leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await over({ DB: { batch: async () => [] } }).DB.batch([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('binding timeouts: object methods that call vendors have no timeout of their own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const PURCHASES = { getByName: () => ({ sync: async () => true }) };
  const result = over({ PURCHASES }).PURCHASES.getByName('a').sync();
  expect([await result, vi.getTimerCount()]).toEqual([true, 0]);
});

test.each([
  ['a bug in its code', {}, 'TypeError'],
  ['a lost connection', { retryable: true }, 'Unavailable'],
  ['too much to do', { overloaded: true }, 'Unavailable'],
  ['a deploy', { durableObjectReset: true }, 'Unavailable'],
])('binding timeouts: an object that throws for %s is reported as such', async (_, flags, name) => {
  const hasActiveMainPlan = () =>
    Promise.reject(Object.assign(new TypeError('x'), { remote: true, ...flags }));
  const { PURCHASES } = over({ PURCHASES: { getByName: () => ({ hasActiveMainPlan }) } });
  await expect(PURCHASES.getByName('a').hasActiveMainPlan()).rejects.toEqual(
    expect.objectContaining({ name }),
  );
});
