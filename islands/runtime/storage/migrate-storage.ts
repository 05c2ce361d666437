import { clearOthersStorage } from './clear-others-storage.ts';
import { allStored, type Kind, kindOf, storageAllowed, writeItem } from './state-storage.ts';

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
export function migrateStorage(): void {
  const stored = [...empty('localStorage'), ...empty('sessionStorage')];
  if (!storageAllowed()) clearOthersStorage();
  for (const [key, value] of [...stored, ...allStored()]) {
    writeItem(kindOf(key) ?? 'localStorage', key, value);
  }
}
