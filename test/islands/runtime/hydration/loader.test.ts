import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const steps: string[] = [];
const step = (name: string) => vi.fn((..._call: unknown[]) => void steps.push(name));

const loader = {
  initHistory: step('initHistory'),
  takeNoScriptState: step('takeNoScriptState'),
  showStoredState: step('showStoredState'),
  restoreTyped: step('restoreTyped'),
  scheduleIslands: step('scheduleIslands'),
  captureEarlyEvents: vi.fn((_onTouch: (island: object) => void) => {}),
  hydrate: vi.fn(),
  startWhenIdle: step('startWhenIdle'),
  loadShared: vi.fn(),
};
const importers: Record<string, () => unknown> = {};
let whenPageSettled: Promise<void>;
let settle = () => {};

vi.mock('../../../../islands/runtime/navigation/init-history-entry.ts', () => loader);
vi.mock('../../../../islands/runtime/storage/no-script-cookie.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/event-replay.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/show-stored-state.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/restore-form-values.ts', () => loader);
vi.mock('../../../../islands/runtime/hydration/scheduler.ts', () => ({ ...loader, importers }));
vi.mock('../../../../islands/runtime/hydration/triggers.ts', () => ({
  get whenPageSettled() {
    return whenPageSettled;
  },
}));

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  steps.length = 0;
  whenPageSettled = new Promise((done) => {
    settle = done;
  });
  loader.loadShared.mockImplementation(async () => loader);
});
afterEach(() => void vi.unstubAllGlobals());

const preparation = [
  'initHistory',
  'takeNoScriptState',
  'showStoredState',
  'restoreTyped',
  'scheduleIslands',
];

/** Lets everything that waits for a resolved promise run. */
const turn = () => new Promise((done) => setTimeout(done));

async function open(readyState = 'complete') {
  const page = openPage(Object.assign(documentWith(element('main')), { readyState }));
  await import('../../../../islands/runtime/hydration/loader.ts');
  await turn();
  return page;
}

it.each(['interactive', 'complete'])(
  'loader: prepares a document that is %s at once',
  async (state) => {
    const { document } = await open(state);
    expect(steps).toEqual(preparation);
    expect(loader.showStoredState).toHaveBeenCalledExactlyOnceWith(document);
    expect(loader.scheduleIslands).toHaveBeenCalledExactlyOnceWith(document);
  },
);

it('loader: prepares a loading document once it is parsed', async () => {
  const { fire } = await open('loading');
  expect(steps).toEqual([]);
  fire('DOMContentLoaded');
  await turn();
  expect(steps).toEqual(preparation);
});

it('loader: starts the rest once the page has settled', async () => {
  await open();
  expect(loader.loadShared).not.toHaveBeenCalled();
  settle();
  await turn();
  expect(steps).toEqual([...preparation, 'startWhenIdle']);
});

it('loader: a shared chunk that does not load is no unhandled rejection', async () => {
  loader.loadShared.mockRejectedValue(new Error('offline'));
  await open();
  settle();
  await turn();
  expect(steps).toEqual(preparation);
});

it('loader: a touched island is hydrated urgently, but only in a parsed document', async () => {
  const { fire } = await open('loading');
  const island = element('x-island');
  const [onTouch] = loader.captureEarlyEvents.mock.lastCall ?? [];
  onTouch?.(island);
  await turn();
  expect(loader.hydrate).not.toHaveBeenCalled();
  fire('DOMContentLoaded');
  await turn();
  expect(loader.hydrate).toHaveBeenCalledExactlyOnceWith(island, true);
});

it('loader: sets the importers of both shared chunks', async () => {
  await open();
  expect(Object.keys(importers)).toEqual(['react', 'shared']);
});
