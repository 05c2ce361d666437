import { beforeEach, expect, it, vi } from 'vitest';
import { element } from '../../dom.ts';

const hydrate = vi.hoisted(() => vi.fn(async () => {}));
const loadChunk = vi.hoisted(() =>
  vi.fn(async (_id: string, _importer: unknown, _urgent: boolean, _needed?: unknown) => ({
    hydrate,
  })),
);
vi.mock('../../../../islands/runtime/hydration/load-chunk.ts', () => ({ loadChunk }));

beforeEach(() => vi.clearAllMocks());

const module = () => import('../../../../islands/runtime/hydration/chunks.ts');
const urgencies = () => loadChunk.mock.calls.map(([id, , urgent]) => `${id} ${urgent}`);
const island = () => element('x-island', { name: 'plan-picker', src: '/plan-picker.js' }) as never;

it('chunks: an island comes after React and the stores, all at low priority', async () => {
  const { loadIsland } = await module();
  await loadIsland(island());
  const chunks = ['stores', 'react', 'shared', 'hydrate-island', 'plan-picker'];
  expect(urgencies()).toEqual(chunks.map((id) => `${id} false`));
  expect(loadChunk.mock.calls.at(-1)?.[1]).toBe('/plan-picker.js');
  // Each waits for the one before it, except for the first.
  expect(loadChunk.mock.calls.map(([, , , needed]) => needed instanceof Promise)).toEqual([
    ...[false, true, true, true, true],
  ]);
});

it('chunks: after a touch all come at high priority, and the island is hydrated at once', async () => {
  const { hydrateNow } = await module();
  const touched = island();
  await hydrateNow(touched);
  expect(urgencies().every((chunk) => chunk.endsWith(' true'))).toBe(true);
  expect(hydrate).toHaveBeenCalledExactlyOnceWith(touched, true);
});

it('chunks: React comes at low priority unless a visitor waits for it', async () => {
  const { loadShared } = await module();
  await loadShared();
  expect(urgencies()).toEqual(
    ['stores', 'react', 'shared', 'hydrate-island'].map((id) => `${id} false`),
  );
});

it('chunks: the code of the e-mail step comes at high priority', async () => {
  const { loadEmailStep } = await module();
  await loadEmailStep();
  expect(urgencies()).toEqual(['stores true', 'email-step true']);
});

it('chunks: an island’s own failure reaches the visitor through React’s code, not as an unhandled error', async () => {
  const { hydrateNow } = await module();
  loadChunk.mockImplementation(async (id: string) => {
    if (id === 'plan-picker') throw null;
    return { hydrate };
  });
  await hydrateNow(island());
  expect(hydrate).toHaveBeenCalledOnce();
});
