import { createElement, type ReactElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const mocks = vi.hoisted(() => ({
  hydrateRoot: vi.fn(),
  scheduleIslands: vi.fn(),
  saveSession: vi.fn(),
  whenIdle: async () => {},
  prefetchNext: vi.fn(),
  reportError: vi.fn(),
  startTracking: vi.fn(),
  watchVitals: vi.fn(),
  startPixels: vi.fn(),
  stayed: vi.fn(async () => {}),
}));
const { hydrateRoot } = mocks;
vi.mock('react-dom/client', () => ({ hydrateRoot: mocks.hydrateRoot }));
vi.mock('../../../../islands/runtime/hydration/scheduler.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/triggers.ts', () => mocks);
vi.mock('../../../../islands/stores/session.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/prefetch.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/stayed.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/report-error.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/start-tracking.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/web-vitals.ts', () => mocks);
vi.mock('../../../../islands/vendors/ads/index.ts', () => mocks);

interface Call {
  tree: ReactElement<{ render: () => void; live: () => void; children: ReactElement }>;
  onUncaughtError: (error: unknown) => void;
  onRecoverableError: (error: unknown) => void;
  unmount: ReturnType<typeof vi.fn>;
}

const calls: Call[] = [];
const component = () => null;

/** An ordinary page with one island. */
async function open(data: Record<string, string> = {}) {
  const island = Object.assign(element('x-island'), { innerHTML: '<p>from the server</p>' });
  const main = element('main', data, island);
  openPage(documentWith(main));
  const module = await import('../../../../islands/runtime/hydration/hydrate-island.ts');
  const { hydrateIsland, unmount } = await import(
    '../../../../islands/runtime/hydration/mount-island.ts'
  );
  const hydrated = () => hydrateIsland(island as never, component, { a: 1 });
  return { island, main, hydrated, unmount, ...module };
}

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  calls.length = 0;
  hydrateRoot.mockImplementation((_island, tree, handlers) => {
    const unmount = vi.fn();
    calls.push({ tree, ...handlers, unmount });
    return { unmount };
  });
});
it('hydrate island: the island is `live` once React has committed', async () => {
  const { island, hydrated } = await open();
  const done = hydrated();
  const [call] = calls;
  expect(hydrateRoot.mock.calls[0]?.[0]).toBe(island);
  expect(call?.tree.props.children).toEqual(createElement(component, { a: 1 } as never));
  expect(island.matches('[live]')).toBe(false);
  call?.tree.props.live();
  await done;
  expect(island.matches('[live]')).toBe(true);
});

it('hydrate island: restores the HTML of a component that throws, and reports it', async () => {
  const { island, hydrated } = await open();
  const done = hydrated();
  calls[0]?.tree.props.live();
  await done;
  island.innerHTML = '<p>broken</p>';
  calls[0]?.onUncaughtError(new RangeError('secret'));
  expect(island.innerHTML).toBe('<p>from the server</p>');
  expect([island.matches('[live]'), island.matches('[failed]')]).toEqual([false, true]);
  await mocks.stayed.mock.results[0]?.value;
  expect(mocks.reportError).toHaveBeenCalledExactlyOnceWith('island_failed', {
    type: 'RangeError',
  });
});

it('hydrate island: a component that throws while the page is being left is not reported', async () => {
  mocks.stayed.mockReturnValueOnce(new Promise<void>(() => {}));
  const { hydrated } = await open();
  const done = hydrated();
  calls[0]?.onUncaughtError(new TypeError('cancelled'));
  await expect(done).rejects.toThrow('cancelled');
  await Promise.resolve();
  expect(mocks.reportError).not.toHaveBeenCalled();
});

it.each([true, false])('page start: a failure is reported if the page stays: %s', async (stays) => {
  if (!stays) mocks.stayed.mockReturnValueOnce(new Promise<void>(() => {}));
  mocks.saveSession.mockImplementationOnce(() => {
    throw new RangeError('no storage');
  });
  await open();
  await Promise.resolve();
  expect(mocks.reportError.mock.calls).toEqual(
    stays ? [['island_failed', { type: 'RangeError' }]] : [],
  );
});

it('hydrate island: rejects when the component throws at once', async () => {
  const { hydrated } = await open();
  const done = hydrated();
  const error = new TypeError('broken');
  calls[0]?.onUncaughtError(error);
  await expect(done).rejects.toBe(error);
});

it('hydrate island: reports an error that React repaired, unless the screen was left', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  const { island, main, hydrated } = await open();
  void hydrated();
  const repaired = new Error('Minified React error #423; visit https://react.dev/errors/423');
  calls[0]?.onRecoverableError(repaired);
  expect(report).toHaveBeenCalledExactlyOnceWith(repaired);
  expect(island.matches('[failed]')).toBe(false);
  main.remove();
  calls[0]?.onRecoverableError(repaired);
  expect(report).toHaveBeenCalledOnce();
});

it('hydrate island: HTML that others changed is marked, and no error', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  const { island, main, hydrated } = await open();
  void hydrated();
  const mismatch = new Error('Minified React error #418; visit https://react.dev/errors/418');
  calls[0]?.onRecoverableError(mismatch);
  expect(island.matches('[rerendered]')).toBe(true);
  island.removeAttribute('rerendered');
  main.remove();
  calls[0]?.onRecoverableError(mismatch);
  expect(island.matches('[rerendered]')).toBe(false);
  expect(report).not.toHaveBeenCalled();
  expect(mocks.reportError).not.toHaveBeenCalled();
});

/** The form of an island: a field with a value, and a button that counts its clicks. */
function form(value: string) {
  const field = Object.assign(element('input', { name: 'email' }), { value, focus: vi.fn() });
  const button = Object.assign(element('button', { type: 'button' }), { click: vi.fn() });
  return { field, button, all: element('form', {}, field, button) };
}

it.each([
  ['that React replaces', 'onRecoverableError', 1],
  ['whose component throws', 'onUncaughtError', 1],
  ['whose component throws later', 'onUncaughtError', 0],
] as const)(
  'hydrate island: HTML %s keeps typed text, the focus during hydration, and taps',
  async (_, event, focused) => {
    const { island, hydrated } = await open();
    const [typed, rendered] = [form('a'), form('')];
    const show = ({ all }: typeof typed) => {
      island.children = [];
      island.append(element('div', {}, element('button', { class: 'others' }), all));
    };
    show(typed);
    Object.assign(document, { activeElement: typed.field });
    const { buffered, replay } = await import(
      '../../../../islands/runtime/hydration/event-replay.ts'
    );
    const tap = () => typed.button.click();
    buffered.set(island as never, new Map([[typed.button as never, tap]]));
    const done = hydrated();
    done.catch(() => {});
    calls[0]?.tree.props.render();
    typed.field.value = 'anna';
    if (focused) calls[0]?.tree.props.render();
    else calls[0]?.tree.props.live();
    show(rendered);
    // The document has another element with the focus, once the old one is gone.
    Object.assign(document, { activeElement: null });
    Object.defineProperty(island, 'innerHTML', { set: () => {}, get: () => '' });
    calls[0]?.[event](new Error('Minified React error #418'));
    expect(rendered.field.value).toBe('anna');
    expect(rendered.field.focus).toHaveBeenCalledTimes(focused);
    replay(island as never);
    expect([typed, rendered].map(({ button }) => button.click.mock.calls.length)).toEqual([0, 1]);
  },
);

it('hydrate island: unmounts the islands of a removed screen, once', async () => {
  const { hydrated, main, unmount } = await open();
  void hydrated();
  unmount(element('main') as never);
  expect(calls[0]?.unmount).not.toHaveBeenCalled();
  unmount(main as never);
  unmount(main as never);
  expect(calls[0]?.unmount).toHaveBeenCalledOnce();
});

it('hydrate island: a screen that is left ends the wait for its island', async () => {
  const { hydrated, main, unmount } = await open();
  const done = hydrated();
  unmount(main as never);
  await expect(done).resolves.toBeUndefined();
});

it.each([
  ['ordinary', 1],
  ['private', 0],
])('page start: an %s page tracks %i times, and always keeps the session', async (kind, times) => {
  await open({ 'data-kind': kind });
  expect(mocks.saveSession).toHaveBeenCalledOnce();
  expect(mocks.startTracking).toHaveBeenCalledTimes(times);
});

it('page start: prefetches, measures and stores the flow when idle', async () => {
  const { startPage } = await open({ 'data-kind': 'ordinary', 'data-flow': 'flow_1' });
  startPage();
  expect(mocks.prefetchNext).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(mocks.watchVitals).toHaveBeenCalledOnce(), pollTimeout);
  const { $app } = await import('../../../../islands/stores/app.ts');
  const { $plans } = await import('../../../../islands/stores/plans.ts');
  expect([$app.get().flow, $plans.get().flowType]).toEqual(['flow_1', 'flow_1']);
  expect(mocks.startPixels).not.toHaveBeenCalled();
});

it('page start: loads the pixels that the page names', async () => {
  const { startPage } = await open({ 'data-pixels': '{"meta":"1"}' });
  startPage();
  await vi.waitFor(
    () => expect(mocks.startPixels).toHaveBeenCalledExactlyOnceWith('{"meta":"1"}'),
    pollTimeout,
  );
});

it('page start: a private page hydrates its islands and does nothing else', async () => {
  const { startPage } = await open({ 'data-kind': 'private', 'data-pixels': '{}' });
  startPage();
  expect(mocks.scheduleIslands).toHaveBeenCalledOnce();
  expect(mocks.prefetchNext).not.toHaveBeenCalled();
});

it('screen start: hydrates the islands of a swapped-in screen, then prefetches the next one', async () => {
  const { main, startScreen } = await open({ 'data-kind': 'ordinary' });
  startScreen(main as never);
  expect(mocks.scheduleIslands.mock.calls[0]?.[0]).toBe(main);
  await vi.waitFor(() => expect(mocks.prefetchNext).toHaveBeenCalledOnce(), pollTimeout);
});
