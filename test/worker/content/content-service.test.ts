import { beforeEach, expect, test, vi } from 'vitest';
import { concurrencyLimit, contentService } from '../../../worker/content/content-service.ts';
import { kvOf } from '../kv-of.ts';

const now = Date.parse('2026-12-01T00:00Z');
const url = 'https://content.example/v1';
const storing = (stored: Record<string, string>) => {
  const get = vi.fn(async (key: string) => stored[key] ?? null);
  return { get, kv: kvOf(get) };
};
const none = storing({}).kv;

beforeEach(() => void vi.useFakeTimers({ now }));
/** Responds to outgoing requests in order, with the last response for all further ones. */
function outside(...answers: (Response | Error | 'never')[]) {
  const calls: [address: string, at: number][] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    // An isolate may still retry a request of another test file.
    if (!address.startsWith(url)) throw new TypeError('not ours');
    calls.push([address, Date.now() - now]);
    const response = answers.length > 1 ? answers.shift() : answers[0];
    if (response === 'never') return new Promise(() => {});
    if (response instanceof Error) throw response;
    return response?.clone();
  });
  return calls;
}

const review = { name: 'Ann', text: 'We know.', source: 'App Store', language: 'en' };

test('content service: reads the published content map and files by their hashes', async () => {
  const [content, de] = ['c'.repeat(32), 'd'.repeat(32)];
  const time = '2026-11-30T10:00:00.005Z';
  const documents = { 'content.json': content, 'de.json': de };
  const { kv } = storing({
    'documents/manifest': JSON.stringify({
      content: { version: '1', time, who: 'ann', documents },
    }),
    [`documents/${content}`]: JSON.stringify({ reviews: [[review]] }),
    [`documents/${de}`]: '{"screens.a":"b"}',
  });
  const service = contentService(kv);
  const manifest = await service.manifest();
  expect(manifest).toMatchObject({ timestamp: Date.parse(time), files: ['content', 'de'] });
  expect(await service.map(manifest)).toEqual({ claims: [], reviews: [review] });
  expect(await service.file(manifest, 'de')).toEqual({ 'screens.a': 'b' });
});

test('content service: a manifest written by hand, with its files, replaces the published one', async () => {
  const { kv } = storing({
    'documents/manifest': '{}',
    'content/manifest': '{"timestamp":5,"files":["content","de"]}',
    'content/5/content': JSON.stringify({ reviews: [[review]] }),
    'content/5/de': '{"screens.a":"b"}',
  });
  const service = contentService(kv);
  const manifest = await service.manifest();
  expect(manifest).toEqual({ timestamp: 5, files: ['content', 'de'] });
  expect(await service.map(manifest)).toEqual({ claims: [], reviews: [review] });
  expect(await service.file(manifest, 'de')).toEqual({ 'screens.a': 'b' });
});

test('content service: a file that the manifest does not list is not read', async () => {
  const { kv, get } = storing({});
  const service = contentService(kv);
  expect(await service.manifest()).toEqual({ timestamp: 0, files: [] });
  expect(await service.file({ timestamp: 5, files: ['de'] }, 'fr')).toBeNull();
  expect(get.mock.calls).toEqual([['content/manifest'], ['documents/manifest']]);
});

test('content service: an outside service is read at its URLs', async () => {
  const calls = outside(Response.json({ timestamp: 5 }), Response.json({}), Response.json({}));
  const service = contentService(none, `${url}/`);
  const manifest = await service.manifest();
  await service.map(manifest);
  await service.file(manifest, 'pt-BR');
  expect(calls.map(([address]) => address)).toEqual([
    `${url}/manifest`,
    `${url}/content?timestamp=5`,
    `${url}/files/pt-BR?timestamp=5`,
  ]);
});

test('content service: an outside service may lack a language', async () => {
  const calls = outside(new Response('no', { status: 404 }));
  expect(await contentService(none, url).file({ timestamp: 5 }, 'de')).toBeNull();
  expect(calls).toHaveLength(1);
});

test.each([
  ['a failed request', new TypeError('down')],
  ['500', new Response('oops', { status: 500 })],
  ['a redirect', new Response(null, { status: 302, headers: { location: '/x' } })],
  ['half a document', new Response('{"timestamp":5,"fi')],
  ['a wrong timestamp', Response.json({ timestamp: 'today' })],
])(
  'content service: after %s it retries five times, from 350 ms, doubling',
  async (_, response) => {
    const calls = outside(response);
    const manifest = contentService(none, url).manifest();
    const failed = expect(manifest).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    expect(calls.map(([, at]) => at)).toEqual([0, 350, 1050, 2450, 5250, 10850]);
  },
);

test('content service: a retry that succeeds is used', async () => {
  outside(
    new TypeError('down'),
    new Response('', { status: 503 }),
    Response.json({ timestamp: 5 }),
  );
  const manifest = contentService(none, url).manifest();
  await vi.advanceTimersByTimeAsync(1050);
  expect(await manifest).toEqual({ timestamp: 5 });
});

test('content service: a hanging read times out and is retried', async () => {
  const calls = outside('never');
  const failed = expect(contentService(none, url).manifest()).rejects.toThrow('no answer');
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(calls.slice(0, 3).map(([, at]) => at)).toEqual([0, 2850, 6050]);
});

test('content service: a listed file must exist', async () => {
  const missing = contentService(none).file({ timestamp: 5, files: ['de'] }, 'de');
  await expect(missing).rejects.toThrow('missing');
});

test('concurrency limit: tasks queue and run even after others fail', async () => {
  const atOnce = concurrencyLimit(10);
  let running = 0;
  let most = 0;
  const run = (fails: boolean) => async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running -= 1;
    if (fails) throw new Error('failed');
  };
  const all = Array.from({ length: 35 }, (_, at) => atOnce(run(at % 3 === 0)));
  const settled = Promise.allSettled(all);
  await vi.advanceTimersByTimeAsync(100);
  expect((await settled).length).toBe(35);
  expect([most, running]).toEqual([10, 0]);
});
