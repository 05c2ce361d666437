import { allKept, type Kind, prefix, put } from './shelf.ts';

const kinds: Kind[] = ['localStorage', 'sessionStorage'];

/** Takes our own entries out of a storage. */
function empty(kind: Kind): [Kind, string, string][] {
  try {
    const storage = window[kind];
    const ours = Object.keys(storage).filter(
      (key) => key.startsWith(prefix) === (kind === 'localStorage'),
    );
    return ours.map((key) => {
      const value = storage.getItem(key) ?? '';
      storage.removeItem(key);
      return [kind, key, value];
    });
  } catch {
    return [];
  }
}

/** Moves all that is kept to where it may be, after the visitor chose: into storage, or out of it. */
export function rehouse(): void {
  const remembered = allKept().map(
    ([key, value]) => [key.startsWith(prefix) ? kinds[0] : kinds[1], key, value] as const,
  );
  for (const [kind, key, value] of [...kinds.flatMap(empty), ...remembered]) {
    put(kind as Kind, key, value);
  }
}
