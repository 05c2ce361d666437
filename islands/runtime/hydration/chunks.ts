import { loadChunk } from './load-chunk.ts';

type Shared = typeof import('./hydrate-island.ts');
type Code = { default: Parameters<Shared['hydrateIsland']>[1] };

const loadStores = (urgent: boolean) =>
  loadChunk('stores', () => import('../../stores/signup.ts'), urgent);

export const loadEmailStep = () =>
  loadChunk('email-step', () => import('../../account/email-step.ts'), true, loadStores(true));

export function loadShared(urgent = false): Promise<Shared> {
  const react = loadChunk('react', () => import('./react-chunk.ts'), urgent, loadStores(urgent));
  // What islands share; otherwise it would be requested when `hydrate-island` is there.
  const shared = loadChunk('shared', () => import('../../stores/consent.ts'), urgent, react);
  return loadChunk('hydrate-island', () => import('./hydrate-island.ts'), urgent, shared);
}

export function loadIsland(island: Element, urgent = false): Promise<Code> {
  const address = island.getAttribute('src') ?? '';
  return loadChunk(island.getAttribute('name') ?? '', address, urgent, loadShared(urgent));
}

/** Loads React and hydrates an island, which replays what waits. */
export async function hydrateNow(island: Element): Promise<void> {
  const code = loadIsland(island, true);
  code.catch(() => {});
  const { hydrate } = await loadShared(true);
  await hydrate(island, true);
}
