import { beforeEach, expect, it, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const loadChunk = vi.fn();
const replay = vi.fn();
const fallBackToBrowser = vi.fn();
vi.mock('../../../../islands/runtime/hydration/load-chunk.ts', () => ({
  loadChunk,
}));
vi.mock('../../../../islands/runtime/hydration/mount-island.ts', () => ({
  hydrateIsland: (...call: unknown[]) => hydrateIsland(...call),
}));
vi.mock('../../../../islands/runtime/hydration/when-quiet.ts', () => ({
  whenQuiet: () => whenQuiet(),
}));
vi.mock('../../../../islands/runtime/hydration/event-replay.ts', () => ({
  replay,
  fallBackToBrowser,
}));

const component = () => null;
const hydrateIsland = vi.fn(async (..._call: unknown[]) => {});
const whenQuiet = vi.fn(async () => {});

/** A page with these islands; every chunk loads, unless `loadChunk` is replaced. */
async function open(...islands: ReturnType<typeof element>[]) {
  const main = element('main', {}, ...islands);
  openPage(documentWith(main));
  const module = await import('../../../../islands/runtime/hydration/scheduler.ts');
  return { main, ...module };
}

const island = (name: string, more: Record<string, string> = {}) =>
  element('x-island', { name, src: `/${name}.js`, ...more });

beforeEach(() => {
  vi.resetModules();
  vi.resetAllMocks();
  hydrateIsland.mockImplementation(async () => {});
  whenQuiet.mockImplementation(async () => {});
  loadChunk.mockImplementation(async (id: string) =>
    id === 'hydrate-island' ? { hydrateIsland } : { default: component },
  );
});
it('hydration: loads the chunk, hydrates with the props and replays events', async () => {
  const form = island('phone-form', { props: '{"action":"/signup"}' });
  const { hydrate } = await open(form);
  replay.mockImplementation(() => expect(hydrateIsland).toHaveBeenCalledOnce());
  await hydrate(form as never, true);
  expect(hydrateIsland).toHaveBeenCalledExactlyOnceWith(form, component, { action: '/signup' });
  expect(replay).toHaveBeenCalledExactlyOnceWith(form);
  const calls = loadChunk.mock.calls.map(([id, , urgent]) => [id, urgent]);
  expect(calls).toEqual([
    ['stores', true],
    ['react', true],
    ['shared', true],
    ['hydrate-island', true],
    ['phone-form', true],
  ]);
  expect(loadChunk.mock.calls[4]?.[1]).toBe('/phone-form.js');
  await expect(loadChunk.mock.calls[4]?.[3]).resolves.toEqual({ hydrateIsland });
  expect(whenQuiet).not.toHaveBeenCalled();
});

it('hydration: waits for a second without input, unless an event is buffered', async () => {
  const [toast, form] = [island('toast'), island('phone-form', { 'data-buffered': '' })];
  const { hydrate } = await open(toast, form);
  let quiet = () => {};
  whenQuiet.mockImplementation(
    () =>
      new Promise<void>((done) => {
        quiet = done;
      }),
  );
  const later = hydrate(toast as never);
  await hydrate(form as never);
  expect(hydrateIsland.mock.calls.map(([at]) => at)).toEqual([form]);
  quiet();
  await later;
  expect(hydrateIsland).toHaveBeenCalledTimes(2);
});

it('hydration: a touch ends the wait', async () => {
  const toast = island('toast');
  const { hydrate } = await open(toast);
  whenQuiet.mockImplementation(() => new Promise(() => {}));
  const waiting = hydrate(toast as never);
  await vi.waitFor(() => expect(whenQuiet).toHaveBeenCalledOnce(), pollTimeout);
  await hydrate(toast as never, true);
  await waiting;
  expect(hydrateIsland).toHaveBeenCalledOnce();
});

it('hydration: an island is hydrated once, without props as an empty object', async () => {
  const toast = island('toast');
  const { hydrate } = await open(toast);
  await Promise.all([hydrate(toast as never), hydrate(toast as never)]);
  expect(hydrateIsland.mock.calls).toEqual([[toast, component, {}]]);
});

it('hydration: a failed chunk leaves the island to the browser, and may be retried', async () => {
  const toast = island('toast');
  const { hydrate } = await open(toast);
  for (let chunks = 5; chunks > 0; chunks -= 1) loadChunk.mockRejectedValueOnce(null);
  await hydrate(toast as never);
  expect(fallBackToBrowser).toHaveBeenCalledExactlyOnceWith(toast);
  expect(replay).not.toHaveBeenCalled();
  await hydrate(toast as never);
  expect(replay).toHaveBeenCalledOnce();
});

it('hydration: a broken island does not stop the next one', async () => {
  const [first, second] = [island('first'), island('second')];
  const { hydrate } = await open(first, second);
  hydrateIsland.mockRejectedValueOnce(new Error('broken'));
  await Promise.all([hydrate(first as never), hydrate(second as never)]);
  expect(fallBackToBrowser.mock.calls).toEqual([[first]]);
  expect(replay.mock.calls).toEqual([[second]]);
});

it('hydration: islands hydrate one after another', async () => {
  const [first, second] = [island('first'), island('second')];
  const { hydrate } = await open(first, second);
  let end = () => {};
  hydrateIsland.mockImplementationOnce(
    () =>
      new Promise<void>((done) => {
        end = done;
      }),
  );
  const both = Promise.all([hydrate(first as never), hydrate(second as never)]);
  await vi.waitFor(() => expect(hydrateIsland).toHaveBeenCalledOnce(), pollTimeout);
  await new Promise((done) => setTimeout(done, 20));
  expect(hydrateIsland).toHaveBeenCalledOnce();
  end();
  await both;
  expect(hydrateIsland).toHaveBeenCalledTimes(2);
});

it('hydration: an island that has been removed from the page is not hydrated', async () => {
  const toast = island('toast');
  const { hydrate } = await open(toast);
  toast.remove();
  await hydrate(toast as never);
  expect(hydrateIsland).not.toHaveBeenCalled();
});

it('hydration: islands wait for their trigger', async () => {
  const now = island('now', { when: 'load' });
  const unknown = island('unknown', { when: 'someday' });
  const touch = island('touch', { when: 'interaction' });
  const { main, scheduleIslands } = await open(now, unknown, touch);
  scheduleIslands(main as never);
  await vi.waitFor(() => expect(replay).toHaveBeenCalledTimes(2), pollTimeout);
  expect(replay.mock.calls.flat()).toEqual([now, unknown]);
});
