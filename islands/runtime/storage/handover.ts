import { allStored, restoreStored, writeItem } from './state-storage.ts';

/** A document's state for the next one. */
interface Handover {
  /** Number of our history entries below the replaced one; null after a bank's page. */
  depth: number | null;
  /** State that is only in memory. */
  kept: [string, string][];
}

export const handoverKey = 'funnel:1:handover';

export function writeHandover(depth: number): void {
  window.name = JSON.stringify({ depth, kept: allStored() } satisfies Handover);
  // A prerendered document has a window name of its own.
  writeItem('sessionStorage', handoverKey, window.name);
}

/** Reads and clears the state of the previous document. Null if there is none. */
export function readHandover(): number | null {
  let left = window.name;
  try {
    left = window.sessionStorage.getItem(handoverKey) ?? left;
    window.sessionStorage.removeItem(handoverKey);
  } catch {}
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
