import type { ComponentType } from 'react';
import { loadChunk } from './load-chunk.ts';

type Shared = typeof import('./hydrate-island.ts');
type Code = { default: ComponentType };

const loadStores = (urgent: boolean) =>
  loadChunk('stores', () => import('../../stores/signup.ts'), urgent);

export const loadEmailStep = () =>
  loadChunk('email-step', () => import('../../account/email-step.ts'), true, loadStores(true));

export function loadShared(urgent = false): Promise<Shared> {
  const react = loadChunk('react', () => import('./react-chunk.ts'), urgent, loadStores(urgent));
  // Modules shared by islands, which would otherwise be requested only after `hydrate-island` has loaded.
  const shared = loadChunk('shared', () => import('../../stores/consent.ts'), urgent, react);
  return loadChunk('hydrate-island', () => import('./hydrate-island.ts'), urgent, shared);
}

export function loadIsland(island: Element, urgent = false): Promise<Code> {
  const address = island.getAttribute('src') ?? '';
  return loadChunk(island.getAttribute('name') ?? '', address, urgent, loadShared(urgent));
}

/** Loads React and hydrates an island, which then replays buffered events. */
export async function hydrateNow(island: Element): Promise<void> {
  const code = loadIsland(island, true);
  code.catch(() => {}); // `hydrate` awaits the same code and handles its error.
  const { hydrate } = await loadShared(true);
  await hydrate(island, true);
}
