import { closestMatch } from 'leven';
import type { FlatTexts, Texts } from './text-overrides.ts';

/** Every text by its key, such as `screens.common.terms`; lists are left out. */
export function flatTexts(texts: Texts, path = ''): FlatTexts {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(texts)) {
    const key = path ? `${path}.${name}` : name;
    if (typeof value === 'string') flat[key] = value;
    else if (!Array.isArray(value)) Object.assign(flat, flatTexts(value as Texts, key));
  }
  return flat;
}

/** The key that somebody may have meant; null when none is near. */
export const similarKey = (key: string, keys: readonly string[]): string | null =>
  closestMatch(key.slice(0, 200), keys, { maxDistance: 4 }) ?? null;
