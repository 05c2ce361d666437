import { beforeEach, expect, test, vi } from 'vitest';
import { ContentCache } from '../../../worker/content/content-cache.ts';
import type { ContentService } from '../../../worker/content/content-service.ts';
import type { Log } from '../../../worker/platform/log.ts';

const fails = async (): Promise<never> => {
  throw new TypeError('down');
};

/** A cold isolate with a service whose operations can be replaced. */
function emptyCache(change: Partial<ContentService> = {}) {
  let texts: Record<string, string> = { 'screens.a': 'one' };
  let timestamp = 1;
  const service = {
    manifest: vi.fn<ContentService['manifest']>(async () => ({ timestamp })),
    map: vi.fn<ContentService['map']>(async () => ({ claims: [], reviews: [] })),
    file: vi.fn<ContentService['file']>(async () => texts),
  };
  Object.assign(service, change);
  const log = vi.fn<Log>();
  const work: Promise<unknown>[] = [];
  const store = new ContentCache();
  const options = {
    service,
    log,
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    maxAgeMs: 30_000,
  };
  return {
    service,
    current: (language = 'de') => store.current(language, options),
    settle: () => Promise.all(work.splice(0)),
    later: () => vi.advanceTimersByTimeAsync(30_001),
    publish: (next: Record<string, string>, at: number) => {
      texts = next;
      timestamp = at;
    },
    problems: () =>
      log.mock.calls.map(([, event, fields]) => [event, fields?.document, fields?.reason]),
  };
}

beforeEach(() => void vi.useFakeTimers());
test('content cache: the first request gets the texts when they arrive in time', async () => {
  const { texts, version } = await emptyCache().current();
  expect([texts, version]).toEqual([{ 'screens.a': 'one' }, '1-1-1']);
});

test('content cache: a request gets the cached version, the next one the new version', async () => {
  const { current, publish, settle, later } = emptyCache();
  await current();
  publish({ 'screens.a': 'two' }, 2);
  expect((await current()).texts).toEqual({ 'screens.a': 'one' });
  await later();
  expect((await current()).texts).toEqual({ 'screens.a': 'one' });
  await settle();
  expect(await current()).toMatchObject({ texts: { 'screens.a': 'two' }, version: '2-2-2' });
});

test('content cache: a file is read again only after a new timestamp', async () => {
  const { current, service, settle, later } = emptyCache();
  for (let visit = 0; visit < 4; visit++) {
    await current();
    await settle();
    await later();
  }
  expect(service.manifest.mock.calls.length).toBeGreaterThan(3);
  expect([service.file.mock.calls.length, service.map.mock.calls.length]).toEqual([2, 1]);
});

test.for([
  ['manifest', { manifest: fails }, ['manifest']],
  ['file', { file: fails }, ['de', 'en']],
  ['map', { map: fails }, ['content']],
] as const)(
  'content cache: a failing %s keeps the cached version and logs one line',
  async ([, broken, keys]) => {
    const { current, service, publish, settle, later, problems } = emptyCache();
    await current();
    Object.assign(service, broken);
    for (let visit = 0; visit < 3; visit++) {
      publish({ 'screens.a': 'one' }, 2 + visit);
      await later();
      await current();
      await settle();
    }
    expect((await current()).texts).toEqual({ 'screens.a': 'one' });
    expect(problems()).toEqual(keys.map((key) => ['content_failed', key, 'TypeError']));
  },
);

test('content cache: an older manifest is ignored', async () => {
  const { current, publish, settle, later, problems } = emptyCache();
  publish({ 'screens.a': 'two' }, 2);
  await current();
  publish({ 'screens.a': 'old' }, 1);
  await later();
  await current();
  await settle();
  expect((await current()).texts).toEqual({ 'screens.a': 'two' });
  expect(problems()).toEqual([['content_failed', 'manifest', 'older than before']]);
});
