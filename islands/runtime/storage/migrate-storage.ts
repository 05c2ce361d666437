import { clearOthersStorage } from './clear-others-storage.ts';
import { allStored, type Kind, kindOf, storageAllowed, writeItem } from './state-storage.ts';

type Entry = [key: string, value: string];

/** Removes and returns our own entries of a storage. */
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
 * Moves all state to where the consent choice allows it: into storage, or out of it. Moving out
 * also deletes other scripts' entries.
 */
export function migrateStorage(): void {
  const stored = [...empty('localStorage'), ...empty('sessionStorage')];
  if (!storageAllowed()) clearOthersStorage();
  for (const [key, value] of [...stored, ...allStored()]) {
    writeItem(kindOf(key) ?? 'localStorage', key, value);
  }
}
