import { memoryEntries, storageAllowed, writeMemory } from './state-storage.ts';

/** A document's state for the next one. */
interface Handover {
  /** Number of our history entries below the replaced one; null after a bank's page. */
  depth: number | null;
  /** State that is only in memory. */
  kept: [string, string][];
}

export const handoverKey = 'funnel:1:handover';

export function writeHandover(depth: number): void {
  window.name = JSON.stringify({ depth, kept: memoryEntries() } satisfies Handover);
  try {
    // A prerendered document has a window name of its own.
    if (storageAllowed()) window.sessionStorage.setItem(handoverKey, window.name);
  } catch {}
}

/** Reads and clears the state of the previous document. Null if there is none. */
export function readHandover(): number | null {
  let handover: string | null = window.name;
  try {
    // The name is newer: the session may hold what was left for a bank's page that did not open.
    handover ||= window.sessionStorage.getItem(handoverKey);
    window.sessionStorage.removeItem(handoverKey);
  } catch {}
  try {
    const { depth, kept } = JSON.parse(handover ?? '') as Handover;
    writeMemory(kept);
    window.name = '';
    return depth;
  } catch {
    // Another site's name stays.
    return null;
  }
}
