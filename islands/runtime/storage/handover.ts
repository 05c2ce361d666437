import { memoryEntries, storageAllowed, writeMemory } from './state-storage.ts';

/** The state that a document passes to the next one. */
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
    // A prerendered document has its own window name, so the session passes the state on.
    if (storageAllowed()) window.sessionStorage.setItem(handoverKey, window.name);
  } catch {}
}

/** Reads and clears the state of the previous document. Null if there is none. */
export function readHandover(): number | null {
  let handover: string | null = window.name;
  try {
    // `window.name` is newer: the session's copy can be from a bank's page that failed to open.
    handover ||= window.sessionStorage.getItem(handoverKey);
    window.sessionStorage.removeItem(handoverKey);
  } catch {}
  try {
    const { depth, kept }: Handover = JSON.parse(handover ?? '');
    writeMemory(kept);
    window.name = '';
    return depth;
  } catch {
    // Another site set this name, so it is kept.
    return null;
  }
}
