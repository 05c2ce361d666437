import { loadIsland } from './chunks.ts';
import { fallBackToBrowser, replay } from './event-replay.ts';
import { hydrateIsland } from './mount-island.ts';
import { whenIdle } from './triggers.ts';
import { whenQuiet } from './when-quiet.ts';
import { yieldToMain } from './yield-to-main.ts';

const whenVisible = (island: Element) =>
  new Promise<void>((done) => {
    if (!('IntersectionObserver' in globalThis)) return done();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        done();
      },
      { rootMargin: '200px' },
    );
    // The island itself has no box (`display: contents`).
    for (const child of island.children) observer.observe(child);
  });

export const triggers: Record<string, (island: Element) => Promise<void>> = {
  load: () => Promise.resolve(),
  idle: whenIdle,
  visible: whenVisible,
  interaction: () => new Promise(() => {}),
};

const hydrated = new WeakSet<Element>();
/** Ends the waiting time of an island with a buffered event. */
const hydrateNowByOwner = new Map<Element, () => void>();
let lastHydration = Promise.resolve();

function queue(job: () => Promise<void> | undefined): Promise<void> {
  const finished = lastHydration.then(yieldToMain).then(job);
  lastHydration = finished.catch(() => {}); // The job's own caller handles its error.
  return finished;
}

/** Resolves when no touch is being handled, or when the island is needed at once. */
async function quietOrNeeded(island: Element): Promise<void> {
  const needed = new Promise<void>((done) => hydrateNowByOwner.set(island, done));
  await Promise.race([whenQuiet(), needed]);
  hydrateNowByOwner.delete(island);
}

export async function hydrate(island: Element, urgent = false): Promise<void> {
  if (urgent) hydrateNowByOwner.get(island)?.();
  if (hydrated.has(island)) return;
  hydrated.add(island);
  try {
    const { default: component } = await loadIsland(island, urgent);
    if (!urgent && !island.matches('[data-buffered]')) await quietOrNeeded(island);
    const props = JSON.parse(island.getAttribute('props') ?? '{}');
    await queue(() => (island.isConnected ? hydrateIsland(island, component, props) : undefined));
    if (island.isConnected) replay(island);
  } catch {
    hydrated.delete(island); // Reported where the chunk is loaded, or by `hydrateIsland`.
    fallBackToBrowser(island);
  }
}

export function scheduleIslands(within: ParentNode): void {
  for (const island of within.querySelectorAll('x-island')) {
    const moment = triggers[island.getAttribute('when') ?? ''] ?? triggers.load;
    Promise.resolve(moment?.(island))
      .then(whenQuiet)
      .then(() => hydrate(island));
  }
}
