import { beforeEach, expect, it, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const report = vi.fn();
const reloadOnce = vi.fn(() => false);
const stayed = vi.fn(async () => {});
vi.mock('../../../../islands/runtime/navigation/stayed.ts', () => ({ stayed }));
vi.mock('../../../../islands/runtime/tracking/report-error.ts', () => ({ reportError: report }));
vi.mock('../../../../islands/runtime/hydration/restore-form-values.ts', () => ({ reloadOnce }));

async function fresh() {
  const { failure, loadChunk } = await import(
    '../../../../islands/runtime/hydration/load-chunk.ts'
  );
  const { showChunkError } = await import('../../../../islands/runtime/hydration/chunk-error.ts');
  failure.show = showChunkError;
  return loadChunk;
}

/** Imitates the build's output: the URL is in the function's text. */
const importer = (result: () => Promise<unknown>) => {
  const load = vi.fn(result);
  return { load, take: Object.assign(() => load(), { toString: () => 'import(`./a.js`)' }) };
};

function network(...answers: (Response | Error)[]) {
  const fetch = vi.fn(async (_url: URL, _init: RequestInit) => {
    const next = answers.shift() ?? new Response('');
    if (next instanceof Error) throw next;
    return next;
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

/** A page with the toast's HTML, whose copy is returned. */
function pageWithToast(withText = true) {
  const text = element('p');
  const copy = element('div', { 'data-late': 'Could not load' }, ...(withText ? [text] : []));
  const showPopover = vi.fn();
  Object.assign(copy, { showPopover });
  const toast = Object.assign(element('div', { 'data-late': 'Could not load' }), {
    cloneNode: (deep: boolean) => (deep ? copy : element('div')),
  });
  const { document } = openPage(documentWith(element('main', {}, toast)));
  return { document, copy, text, showPopover };
}

/** Fails permanently to load a chunk. */
async function fail() {
  network(new TypeError('offline'), new TypeError('offline'));
  const { take } = importer(async () => 'code');
  await expect((await fresh())('a', take)).rejects.toBeNull();
}

let shown: ReturnType<typeof pageWithToast>;

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  reloadOnce.mockReturnValue(false);
  stayed.mockImplementation(async () => {});
  shown = pageWithToast();
});
it('load chunk: fetches at low priority, or high after a touch, and imports once', async () => {
  const fetch = network();
  const chunk = await fresh();
  const { load, take } = importer(async () => 'code');
  expect(await Promise.all([chunk('a', take), chunk('a', take)])).toEqual(['code', 'code']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(fetch.mock.calls.map(([, init]) => init.priority)).toEqual(['low']);
  await chunk('b', take, true);
  expect(fetch.mock.calls[1]?.[1].priority).toBe('high');
});

it('load chunk: retries once, at high priority, and bypasses the cache', async () => {
  const fetch = network(new TypeError('offline'));
  const chunk = await fresh();
  const { take } = importer(async () => 'code');
  expect(await chunk('a', take)).toBe('code');
  expect(fetch.mock.calls.map(([, { priority, cache }]) => [priority, cache])).toEqual([
    ['low', undefined],
    ['high', 'reload'],
  ]);
  expect(report).not.toHaveBeenCalled();
});

it.each([
  ['error', () => new TypeError('offline')],
  ['timeout', () => new DOMException('late', 'TimeoutError')],
  ['error', () => new Response('', { status: 503 })],
  ['missing', () => new Response('', { status: 404 })],
] as const)(
  'load chunk: reports %s after the second failure and can be called again',
  async (type, failure) => {
    const fetch = network(failure(), failure());
    const chunk = await fresh();
    const { take } = importer(async () => 'code');
    await expect(chunk('phone-form', take)).rejects.toBeNull();
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(report).toHaveBeenCalledExactlyOnceWith('chunk_failed', {
      message: 'Loading chunk phone-form failed',
      type,
    });
    expect(shown.showPopover).toHaveBeenCalledTimes(1);
    expect(await chunk('phone-form', take)).toBe('code');
  },
);

it.each([
  ['download', 1],
  ['download', 2],
  ['import', 1],
  ['import', 2],
] as const)(
  'load chunk: the %s that a page cancels as it is left, at attempt %i, is neither retried nor reported',
  async (cancelled, attempts) => {
    const never = new Promise<void>(() => {});
    if (attempts > 1) stayed.mockResolvedValueOnce();
    stayed.mockReturnValue(never);
    const error = new TypeError('cancelled');
    const fetch = cancelled === 'download' ? network(error, error) : network();
    const chunk = await fresh();
    const { load, take } = importer(() => Promise.reject(error));
    chunk('a', take);
    await vi.waitFor(() => expect(stayed).toHaveBeenCalledTimes(attempts), pollTimeout);
    expect(fetch).toHaveBeenCalledTimes(attempts);
    expect(load).toHaveBeenCalledTimes(cancelled === 'import' ? attempts : 0);
    expect([report, shown.showPopover].map(({ mock }) => mock.calls)).toEqual([[], []]);
  },
);

it('load chunk: code that only counts fails without a toast', async () => {
  network(new TypeError('blocked'), new TypeError('blocked'));
  const { take } = importer(async () => 'code');
  await expect((await fresh())('visit', take)).rejects.toBeNull();
  expect(report).toHaveBeenCalledOnce();
  expect(shown.showPopover).not.toHaveBeenCalled();
});

it('load chunk: a download that breaks off counts as a failure, and the second one is used', async () => {
  const broken = new Response('');
  vi.spyOn(broken, 'arrayBuffer').mockRejectedValue(new TypeError('broken off'));
  const fetch = network(broken);
  const { load, take } = importer(async () => 'code');
  expect(await (await fresh())('a', take)).toBe('code');
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(load).toHaveBeenCalledTimes(1);
});

it('load chunk: a chunk that does not run is downloaded and run twice, then reported', async () => {
  const fetch = network();
  const { load, take } = importer(() => Promise.reject(new SyntaxError('half a chunk')));
  await expect((await fresh())('a', take)).rejects.toBeNull();
  const addresses = fetch.mock.calls.map(([url]) => url.pathname.split('/').at(-1));
  expect(addresses).toEqual(['a.js', 'a.js']);
  expect(load).toHaveBeenCalledTimes(2);
  expect(report.mock.calls.map(([, { type }]) => type)).toEqual(['error']);
});

it.each(['a status', 'a failure of a needed chunk'])(
  'load chunk: %s does not come from leaving the page, so nothing waits',
  async (reason) => {
    stayed.mockReturnValue(new Promise<void>(() => {}));
    const isStatus = reason === 'a status';
    network(...(isStatus ? [1, 2].map(() => new Response('', { status: 503 })) : []));
    const chunk = await fresh();
    const needed = isStatus ? undefined : Promise.reject(null);
    await expect(chunk('a', importer(async () => 'code').take, false, needed)).rejects.toBeNull();
  },
);

it('load chunk: each download may take two minutes', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout');
  const fetch = network(new TypeError('offline'));
  await (await fresh())('a', importer(async () => 'code').take);
  expect(limit.mock.calls).toEqual([[120_000], [120_000]]);
  expect(fetch.mock.calls.map(([, { signal }]) => signal)).toEqual(
    limit.mock.results.map(({ value }) => value),
  );
});

it('load chunk: a failed download of an existing chunk does not reload the page', async () => {
  reloadOnce.mockReturnValue(true);
  network(new TypeError('offline'));
  expect(await (await fresh())('a', importer(async () => 'code').take)).toBe('code');
  expect(reloadOnce).not.toHaveBeenCalled();
});

it('load chunk: a chunk removed by a deploy reloads the page once, without a report', async () => {
  reloadOnce.mockReturnValue(true);
  const fetch = network(new Response('', { status: 404 }));
  const chunk = await fresh();
  chunk('a', importer(async () => 'code').take);
  await vi.waitFor(() => expect(reloadOnce).toHaveBeenCalledTimes(1), pollTimeout);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(report).not.toHaveBeenCalled();
});

it('load chunk: runs after the chunk it needs, which reports its own failure', async () => {
  network();
  const chunk = await fresh();
  const { load, take } = importer(async () => 'code');
  await expect(chunk('a', take, false, Promise.reject(null))).rejects.toBeNull();
  expect(load).not.toHaveBeenCalled();
  expect(report).not.toHaveBeenCalled();
});

it('load chunk: a needed chunk that fails during the download is not reported again', async () => {
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const chunk = await fresh();
  const loaded = chunk('a', importer(async () => 'code').take, false, Promise.reject(null));
  // Node finds unhandled rejections between tasks; the test runner fails on them.
  await new Promise((done) => setTimeout(done));
  response.resolve(new Response(''));
  await expect(loaded).rejects.toBeNull();
  expect(report).not.toHaveBeenCalled();
});

it('load chunk: accepts a path instead of an import function', async () => {
  const fetch = network();
  const chunk = await fresh();
  const address = 'data:text/javascript,export default 7';
  expect((await chunk<{ default: number }>('a', address)).default).toBe(7);
  expect(String(fetch.mock.calls[0]?.[0])).toBe(address);
});

it('chunk error: a copy of the toast shows the message for 3 s', async () => {
  vi.useFakeTimers();
  await fail();
  const { document, copy, text } = shown;
  expect(text.textContent).toBe('Could not load');
  expect(copy.matches('[data-open]')).toBe(true);
  expect(copy.parent).toBe(document.body);
  await vi.advanceTimersByTimeAsync(2999);
  expect(copy.isConnected).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(copy.isConnected).toBe(false);
});

it('chunk error: a tap closes the toast', async () => {
  await fail();
  (shown.copy.onclick as () => void)();
  expect(shown.copy.isConnected).toBe(false);
});

it('chunk error: shows nothing where a page has no toast', async () => {
  const { copy } = pageWithToast(false);
  await fail();
  expect(copy.isConnected).toBe(false);
  openPage(documentWith(element('main')));
  await fail();
});
