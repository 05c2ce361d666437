import { allStored, restoreStored } from './state-storage.ts';

interface Handover {
  /** Number of our history entries below the replaced one. */
  depth: number;
  /** State that is only in memory. */
  kept: [string, string][];
}

export function writeHandover(depth: number): void {
  window.name = JSON.stringify({ depth, kept: allStored() } satisfies Handover);
}

/** Reads and clears the state of the previous document. Null if there is none. */
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
