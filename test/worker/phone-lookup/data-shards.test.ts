import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { dataShardOf, readShard } from '../../../worker/phone-lookup/data-shards.ts';

const assets = (answer: (path: string) => Response | Promise<Response>) => {
  const fetch = vi.fn(async (request: Request) => answer(new URL(request.url).pathname));
  return { ASSETS: { fetch } };
};

test('data shards: a file of the build is read', async () => {
  const log = vi.fn();
  expect((await readShard<Record<string, 1>>(env, 'numbers/index', log))?.['49']).toBe(1);
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['missing', () => new Response('no', { status: 404 }), 'RangeError'],
  ['broken', () => new Response('{"words": ['), 'SyntaxError'],
  ['not there at all', () => Promise.reject(new TypeError('+4915123456789')), 'TypeError'],
])(
  'data shards: a file that is %s gives null and one log line without its name',
  async (what, answer, reason) => {
    const log = vi.fn();
    expect(await readShard(assets(answer), `numbers/${what}`, log)).toBeNull();
    expect(log.mock.calls).toEqual([
      ['error', 'lookup_data_missing', { dataset: 'numbers', reason }],
    ]);
  },
);

test('data shards: a failed file is read again', async () => {
  let works = false;
  const flaky = assets(() => (works ? Response.json({ a: 1 }) : new Response('', { status: 500 })));
  expect(await readShard(flaky, 'flaky', vi.fn())).toBeNull();
  works = true;
  expect(await readShard(flaky, 'flaky', vi.fn())).toEqual({ a: 1 });
});

test('data shards: 64 files are cached, the least recently used is evicted', async () => {
  const many = assets((path) => Response.json(path));
  const read = (at: number) => readShard(many, `many/${at}`, vi.fn());
  for (let at = 0; at < 64; at += 1) await read(at);
  await read(0);
  expect(many.ASSETS.fetch).toHaveBeenCalledTimes(64);
  await read(64);
  await read(0);
  expect(many.ASSETS.fetch).toHaveBeenCalledTimes(65);
  expect(await read(1)).toBe('/edge/many/1.json');
  expect(many.ASSETS.fetch).toHaveBeenCalledTimes(66);
});

test('data shards: keys are spread evenly', () => {
  const counts = Array.from({ length: 8 }, () => 0);
  for (let at = 0; at < 8000; at += 1) {
    const shard = dataShardOf(`DE/${at}`, 8);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(900);
});
