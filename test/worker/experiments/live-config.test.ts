import { beforeEach, expect, test, vi } from 'vitest';
import { manifestKey } from '../../../worker/documents/manifest.ts';
import { LiveConfig } from '../../../worker/experiments/live-config.ts';
import type { DocumentKey } from '../../../worker/experiments/rules/config-schema.ts';
import type { Log } from '../../../worker/platform/log.ts';
import { kvOf } from '../kv-of.ts';

type Answer = (key: string) => Promise<string | null>;

const configOf = (experiment: string) =>
  JSON.stringify({
    experiment,
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  });
const flows = JSON.stringify({ flows: {}, aliases: {} });
const pair =
  (experiment: string): Answer =>
  async (key) =>
    key === 'config.json' ? configOf(experiment) : flows;
const never: Answer = () => new Promise(() => {});
const slow =
  (ms: number, answer: Answer): Answer =>
  (key) =>
    new Promise((resolve) => setTimeout(() => resolve(answer(key)), ms));

/** A cold isolate's store on a KV with these responses, and its log. */
function coldIsolate(answer: Answer, maxAgeMs = 30_000) {
  const kv = { get: vi.fn(answer) };
  const nothingPublished = (key: string) =>
    key === manifestKey ? Promise.resolve(null) : kv.get(key);
  const log = vi.fn<Log>();
  const work: Promise<unknown>[] = [];
  const options = {
    kv: kvOf(nothingPublished),
    log,
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    maxAgeMs,
    production: false,
  };
  const store = new LiveConfig();
  return {
    kv,
    log,
    current: () => store.current(options),
    settle: () => Promise.all(work.splice(0)),
    kept: () => work.length,
    problems: () => log.mock.calls.map(([, , fields]) => [fields?.document, fields?.reason]),
  };
}

/** Whether a promise is settled after all due work has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.finally(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

beforeEach(() => void vi.useFakeTimers());
test('config: the documents from KV are served', async () => {
  const config = await coldIsolate(pair('e1')).current();
  expect(config.live).toBe(true);
  expect(config.configuration.experiment).toBe('e1');
  expect(JSON.parse(config.published['config.json'])).toMatchObject({ experiment: 'e1' });
});

test.each([
  ['hangs', never],
  ['takes 151 ms', slow(151, pair('e1'))],
])('config: the first request waits 150 ms for a KV that %s', async (_, answer) => {
  const current = coldIsolate(answer).current();
  await vi.advanceTimersByTimeAsync(149);
  expect(await isSettled(current)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isSettled(current)).toBe(true);
  const config = await current;
  expect(config.live).toBe(false);
  expect(config.configuration.experiment).toBe('built-in');
});

test('config: the first request waits for a KV that takes 100 ms', async () => {
  const current = coldIsolate(slow(100, pair('e1'))).current();
  await vi.advanceTimersByTimeAsync(100);
  expect((await current).live).toBe(true);
});

test('config: a late read serves the second request', async () => {
  const { current, settle } = coldIsolate(slow(500, pair('e1')));
  const first = current();
  await vi.advanceTimersByTimeAsync(500);
  expect((await first).live).toBe(false);
  await settle();
  expect((await current()).configuration.experiment).toBe('e1');
});

const throws: Answer = async () => {
  throw new TypeError('KV is not there');
};
const throwsAtOnce = (() => {
  throw new TypeError('KV is not there');
}) as unknown as Answer;
const html: Answer = async () => '<!doctype html>';

test.each<[string, Answer, DocumentKey, string]>([
  ['nothing stored', async () => null, 'config.json', 'missing'],
  ['an error', throws, 'config.json', 'KV failed'],
  ['an error at once', throwsAtOnce, 'config.json', 'KV failed'],
  ['HTML', html, 'config.json', 'not JSON'],
  [
    'half a pair',
    async (key: string) => (key === 'config.json' ? configOf('e') : null),
    'flows.json',
    'missing',
  ],
])(
  'config: with %s in KV the built-in documents are served and one line is logged',
  async (_, answer, key, reason) => {
    const { current, settle, problems, log } = coldIsolate(answer, 0);
    for (let visitor = 0; visitor < 5; visitor++) {
      const config = await current();
      expect([config.live, config.configuration.experiment]).toEqual([false, 'built-in']);
      await settle();
    }
    expect(problems()).toEqual([[key, expect.stringContaining(reason)]]);
    expect(log.mock.calls[0]?.slice(0, 2)).toEqual(['error', 'config_refused']);
  },
);

test('config: a hanging read times out after 10 s and is retried', async () => {
  const { kv, current, settle, problems } = coldIsolate(never);
  const first = current();
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await first).live).toBe(false);
  await settle();
  expect(problems()).toEqual([['config.json', 'KV did not answer']]);
  kv.get.mockImplementation(pair('e2'));
  expect((await current()).configuration.experiment).toBe('e2');
});

test('config: concurrent requests share one read', async () => {
  const { kv, current, kept } = coldIsolate(slow(50, pair('e1')));
  const all = Promise.all(Array.from({ length: 20 }, current));
  await vi.advanceTimersByTimeAsync(50);
  expect((await all).every(({ live }) => live)).toBe(true);
  expect(kv.get).toHaveBeenCalledTimes(2);
  // The request that started it waits for its end.
  expect(kept()).toBe(1);
});

test('config: a read that ended with its request is abandoned', async () => {
  const { kv, current } = coldIsolate(pair('e1'));
  await current();
  await vi.advanceTimersByTimeAsync(30_001);
  kv.get.mockImplementation(never);
  // Not a spy, because `restoreAllMocks` would restore the fake clock's timer long after this test.
  vi.stubGlobal('setTimeout', () => 0);
  await current();
  vi.unstubAllGlobals();
  kv.get.mockImplementation(pair('e2'));
  await vi.advanceTimersByTimeAsync(60_000);
  await current();
  await vi.advanceTimersByTimeAsync(0);
  expect((await current()).configuration.experiment).toBe('e2');
});

test('config: a copy of up to two minutes never waits for KV', async () => {
  const { kv, current } = coldIsolate(pair('e1'));
  await current();
  kv.get.mockImplementation(never);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await isSettled(current())).toBe(true);
  expect((await current()).configuration.experiment).toBe('e1');
});

test('config: an idle isolate serves the publication that it missed, to parallel visitors too', async () => {
  const { kv, current } = coldIsolate(pair('e1'));
  await current();
  kv.get.mockImplementation(slow(140, pair('e2')));
  await vi.advanceTimersByTimeAsync(120_001);
  const visits = Promise.all([current(), current()]);
  await vi.advanceTimersByTimeAsync(140);
  expect((await visits).map(({ configuration }) => configuration.experiment)).toEqual(['e2', 'e2']);
});

test('config: an old copy is served when KV takes more than 150 ms, then without waiting', async () => {
  const { kv, current } = coldIsolate(pair('e1'));
  await current();
  kv.get.mockImplementation(never);
  await vi.advanceTimersByTimeAsync(3_600_000);
  const visit = current();
  await vi.advanceTimersByTimeAsync(149);
  expect(await isSettled(visit)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect((await visit).configuration.experiment).toBe('e1');
  // The read has timed out.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await isSettled(current())).toBe(true);
});

test('config: a copy is refreshed only after its maximum age', async () => {
  const { kv, current, settle } = coldIsolate(pair('e1'));
  await current();
  await settle();
  kv.get.mockImplementation(pair('e2'));
  await vi.advanceTimersByTimeAsync(30_000);
  await current();
  await settle();
  expect(kv.get).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect((await current()).configuration.experiment).toBe('e1');
  await settle();
  expect((await current()).configuration.experiment).toBe('e2');
});

test('config: an invalid write keeps the last valid pair and is logged once per problem', async () => {
  const { kv, current, settle, problems } = coldIsolate(pair('e1'), 0);
  await current();
  const turn = async (answer: Answer) => {
    kv.get.mockImplementation(answer);
    await vi.advanceTimersByTimeAsync(1);
    await current();
    await settle();
    return (await current()).configuration.experiment;
  };
  for (let i = 0; i < 3; i++) expect(await turn(html)).toBe('e1');
  for (let i = 0; i < 3; i++) expect(await turn(throws)).toBe('e1');
  expect(await turn(async () => null)).toBe('e1');
  const reasons = problems().map(([, reason]) => reason?.replace(/ \(.*/s, ''));
  expect(reasons).toEqual(['not JSON', 'KV failed', 'missing']);
  expect(await turn(pair('e2'))).toBe('e2');
  expect(await turn(html)).toBe('e2');
  expect(problems()).toHaveLength(4);
});

test('config: a valid document is not paired with an invalid one', async () => {
  const { kv, current, settle } = coldIsolate(pair('e1'), 0);
  await current();
  kv.get.mockImplementation(async (key) => (key === 'config.json' ? configOf('e2') : '{'));
  await vi.advanceTimersByTimeAsync(1);
  await current();
  await settle();
  expect((await current()).configuration.experiment).toBe('e1');
});
