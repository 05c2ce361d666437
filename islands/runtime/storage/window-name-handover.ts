import { allStored, restoreStored } from './state-storage.ts';

interface Handover {
  /** How many of our entries lie below the one that is replaced. */
  depth: number;
  /** What only memory holds, where nothing may be stored. */
  kept: [string, string][];
}

/**
 * Leaves what the next document needs of this one: by the tab's name, which works where storage is
 * blocked or not allowed, is no storage, and is emptied by the next document.
 */
export function writeHandover(depth: number): void {
  window.name = JSON.stringify({ depth, kept: allStored() } satisfies Handover);
}

/** Takes what the last document left, once. Depth is null when there is nothing to take. */
export function readHandover(): number | null {
  const left = window.name;
  if (!left.startsWith('{"depth":')) return null;
  window.name = '';
  try {
    const { depth, kept } = JSON.parse(left) as Handover;
    restoreStored(kept);
    return depth;
  } catch {
    return null;
  }
}
