import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const steps: string[] = [];
const step = (name: string) => vi.fn((..._call: unknown[]) => void steps.push(name));

const loader = {
  initHistory: vi.fn((): boolean => {
    steps.push('initHistory');
    return false;
  }),
  takeNoScriptState: step('takeNoScriptState'),
  showStoredState: step('showStoredState'),
  restoreTyped: step('restoreTyped'),
  captureEarlyEvents: vi.fn((_onTouch: (island: object) => void) => {}),
  fallBackToBrowser: vi.fn(),
  requestPage: vi.fn(),
  answer: vi.fn(async (_owner: object) => {}),
  startWhenSettled: step('startWhenSettled'),
  loadChunk: vi.fn(async (_name: string, _importer: unknown, _urgent: boolean) => loader as object),
};
let pageSettled: Promise<void>;
let settle = () => {};

vi.mock('../../../../islands/runtime/navigation/init-history-entry.ts', () => loader);
vi.mock('../../../../islands/runtime/storage/no-script-cookie.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/event-replay.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/show-stored-state.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/restore-form-values.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/load-chunk.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/request-page.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/triggers.ts', () => ({
  whenPageSettled: () => pageSettled,
}));

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  steps.length = 0;
  pageSettled = new Promise((done) => {
    settle = done;
  });
  loader.loadChunk.mockImplementation(async () => loader);
});
const preparation = ['initHistory', 'takeNoScriptState', 'showStoredState', 'restoreTyped'];

/** Runs everything that waits for a resolved promise. */
const turn = () => new Promise((done) => setTimeout(done));

async function open(readyState = 'complete') {
  const page = openPage(Object.assign(documentWith(element('main')), { readyState }));
  await import('../../../../islands/runtime/hydration/loader.ts');
  await turn();
  return page;
}

it.each(['interactive', 'complete'])(
  'loader: a document that is %s is prepared at once',
  async (state) => {
    const { document } = await open(state);
    expect(steps).toEqual(preparation);
    expect(loader.showStoredState).toHaveBeenCalledExactlyOnceWith(document);
  },
);

it('loader: after navigation the screen’s heading gets the focus once its state is shown', async () => {
  loader.initHistory.mockImplementationOnce(() => true);
  const focus = vi.fn(() => void steps.push('focus'));
  openPage(documentWith(element('main', {}, Object.assign(element('h1'), { focus }))));
  await import('../../../../islands/runtime/hydration/loader.ts');
  await turn();
  expect(steps).toEqual([...preparation.slice(1), 'focus']);
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
});

it('loader: prepares a loading document once it is parsed', async () => {
  const { fire } = await open('loading');
  expect(steps).toEqual([]);
  fire('DOMContentLoaded');
  await turn();
  expect(steps).toEqual(preparation);
});

it('loader: a prerendered document does nothing before it is shown', async () => {
  const readyState = 'complete';
  const prerendered = Object.assign(documentWith(element('main')), {
    readyState,
    prerendering: true,
  });
  const { fire } = openPage(prerendered);
  await import('../../../../islands/runtime/hydration/loader.ts');
  settle();
  await turn();
  expect(steps).toEqual([]);
  expect(loader.loadChunk).not.toHaveBeenCalled();
  fire('prerenderingchange');
  await turn();
  expect(steps).toEqual([...preparation, 'startWhenSettled']);
});

it('loader: a document that is shown before it is parsed is prepared afterwards', async () => {
  const prerendered = documentWith(element('main'));
  const { fire } = openPage(
    Object.assign(prerendered, { readyState: 'loading', prerendering: true }),
  );
  await import('../../../../islands/runtime/hydration/loader.ts');
  fire('prerenderingchange');
  await turn();
  expect(steps).toEqual([]);
  fire('DOMContentLoaded');
  await turn();
  expect(steps).toEqual(preparation);
});

const requested = () => loader.loadChunk.mock.calls.map(([name, , urgent]) => [name, urgent]);

it('loader: loads React when the page is idle, and reports that nothing was touched', async () => {
  await open();
  expect(loader.loadChunk).not.toHaveBeenCalled();
  settle();
  await turn();
  expect(steps).toEqual([...preparation, 'startWhenSettled']);
  expect(requested()).toEqual([
    ['first-touch', false],
    ['visit', false],
  ]);
  expect(loader.startWhenSettled).toHaveBeenCalledExactlyOnceWith(false);
});

it('loader: a chunk that fails to load causes no unhandled rejection', async () => {
  loader.loadChunk.mockRejectedValue(new Error('offline'));
  await open();
  settle();
  await turn();
  expect(steps).toEqual(preparation);
});

const touch = (owner: object) => loader.captureEarlyEvents.mock.lastCall?.[0](owner);

it('loader: a touch requests its code at once, and the next page once the document is parsed', async () => {
  const { fire } = await open('loading');
  const island = element('x-island');
  touch(island);
  await turn();
  expect(requested()).toEqual([
    ['first-touch', true],
    ['visit', true],
  ]);
  expect([loader.requestPage, loader.answer].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  fire('DOMContentLoaded');
  await turn();
  expect(loader.requestPage).toHaveBeenCalledOnce();
  expect(loader.answer).toHaveBeenCalledExactlyOnceWith(island);
  settle();
  await turn();
  expect(loader.startWhenSettled).toHaveBeenCalledExactlyOnceWith(true);
});

it('loader: a touch is answered even if tracking fails to load', async () => {
  loader.loadChunk.mockImplementation(async (name) => {
    if (name === 'visit') throw null;
    return loader;
  });
  await open();
  touch(element('x-island'));
  await turn();
  expect(loader.answer).toHaveBeenCalledOnce();
});

it('loader: if its code fails to load, the browser handles the touch', async () => {
  loader.loadChunk.mockRejectedValue(null);
  await open();
  const island = element('x-island');
  touch(island);
  await turn();
  expect(loader.fallBackToBrowser).toHaveBeenCalledExactlyOnceWith(island);
});
