import { fallBackToBrowser, replay } from './event-replay.ts';
import { alreadyReported, loadChunk } from './load-chunk.ts';
import { triggers, whenPageSettled } from './triggers.ts';

type Root = typeof import('./hydrate-island.ts');
type Code = { default: Parameters<Root['hydrateIsland']>[1] };

const nothing = () => Promise.reject<never>(alreadyReported);

export const importers = {
  react: nothing as () => Promise<typeof import('./react-chunk.ts')>,
  shared: nothing as () => Promise<Root>,
};

const hydrated = new WeakSet<Element>();
let turn = Promise.resolve();

export const loadShared = (urgent = false): Promise<Root> =>
  loadChunk('shared', importers.shared, urgent, loadChunk('react', importers.react, urgent));

export function loadIsland(island: Element, urgent = false): Promise<Code> {
  const address = island.getAttribute('src') ?? '';
  return loadChunk(island.getAttribute('name') ?? '', address, urgent, loadShared(urgent));
}

function inTurn(job: () => Promise<void> | undefined): Promise<void> {
  const mine = turn.then(() => new Promise((next) => setTimeout(next))).then(job);
  turn = mine.catch(() => {});
  return mine;
}

export async function hydrate(island: Element, urgent = false): Promise<void> {
  if (hydrated.has(island)) return;
  hydrated.add(island);
  try {
    const { default: component } = await loadIsland(island, urgent);
    const { hydrateIsland } = await loadShared();
    const props = JSON.parse(island.getAttribute('props') ?? '{}');
    await inTurn(() => (island.isConnected ? hydrateIsland(island, component, props) : undefined));
    replay(island);
  } catch {
    hydrated.delete(island);
    fallBackToBrowser(island);
  }
}

export function scheduleIslands(within: ParentNode, rest = whenPageSettled): void {
  for (const island of within.querySelectorAll('x-island')) {
    const moment = triggers[island.getAttribute('when') ?? ''] ?? triggers.load;
    rest.then(() => moment?.(island)).then(() => hydrate(island));
  }
}
