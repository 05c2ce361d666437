import { forgetOthers } from './clear-others-storage.ts';
import { allKept, type Kind, kindOf, mayKeep, put } from './state-storage.ts';

type Entry = [key: string, value: string];

/** Takes our own entries out of a storage. */
function empty(kind: Kind): Entry[] {
  try {
    const storage = window[kind];
    const ours = Object.keys(storage).filter((key) => kindOf(key) === kind);
    return ours.map((key) => {
      const value = storage.getItem(key) ?? '';
      storage.removeItem(key);
      return [key, value];
    });
  } catch {
    return [];
  }
}

/**
 * Moves all that is kept to where it may be, as the visitor chose: into storage, or out of it. Out of
 * it goes then what others stored, too.
 */
export function rehouse(): void {
  const stored = [...empty('localStorage'), ...empty('sessionStorage')];
  if (!mayKeep()) forgetOthers();
  for (const [key, value] of [...stored, ...allKept()]) {
    put(kindOf(key) ?? 'localStorage', key, value);
  }
}
