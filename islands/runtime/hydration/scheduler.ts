import { fallBackToBrowser, replay } from './event-replay.ts';
import { loadChunk, told } from './load-chunk.ts';
import { triggers } from './triggers.ts';
import { whenPageSettled } from './when-idle.ts';

type Root = typeof import('./hydrate-island.ts');
type Code = { default: Parameters<Root['hydrateIsland']>[1] };

const nothing = () => Promise.reject<never>(told);

/** How to load each part; the loader's entry fills it in. */
export const importers = {
  react: nothing as () => Promise<typeof import('./react-chunk.ts')>,
  shared: nothing as () => Promise<Root>,
};

const woken = new WeakSet<Element>();
let turn = Promise.resolve();

/** Loads React and what islands share, side by side. */
export const root = (urgent = false): Promise<Root> =>
  loadChunk('shared', importers.shared, urgent, loadChunk('react', importers.react, urgent));

/** Loads an island's own code, from where its HTML says. */
export function codeOf(island: Element, urgent = false): Promise<Code> {
  const address = island.getAttribute('src') ?? '';
  return loadChunk(island.getAttribute('name') ?? '', address, urgent, root(urgent));
}

/** Runs a job in a task of its own, after the ones before it. */
function inTurn(job: () => Promise<void> | undefined): Promise<void> {
  const mine = turn.then(() => new Promise((next) => setTimeout(next))).then(job);
  turn = mine.catch(() => {});
  return mine;
}

/** Wakes an island, in a task of its own; `urgent` when the visitor touched it. */
export async function hydrate(island: Element, urgent = false): Promise<void> {
  if (woken.has(island)) return;
  woken.add(island);
  try {
    const { default: component } = await codeOf(island, urgent);
    const { hydrateIsland } = await root();
    const props = JSON.parse(island.getAttribute('props') ?? '{}');
    await inTurn(() => (island.isConnected ? hydrateIsland(island, component, props) : undefined));
    replay(island);
  } catch {
    woken.delete(island);
    fallBackToBrowser(island);
  }
}

/** Schedules every island in a part of the page, for after `rest`. */
export function scheduleIslands(within: ParentNode, rest = whenPageSettled): void {
  for (const island of within.querySelectorAll('x-island')) {
    const moment = triggers[island.getAttribute('when') ?? ''] ?? triggers.load;
    rest.then(() => moment?.(island)).then(() => hydrate(island));
  }
}
