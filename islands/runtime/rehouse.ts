import { allKept, type Kind, kindOf, put } from './shelf.ts';

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

/** Moves all that is kept to where it may be, after the visitor chose: into storage, or out of it. */
export function rehouse(): void {
  const stored = [...empty('localStorage'), ...empty('sessionStorage')];
  for (const [key, value] of [...stored, ...allKept()]) {
    put(kindOf(key) ?? 'localStorage', key, value);
  }
}
