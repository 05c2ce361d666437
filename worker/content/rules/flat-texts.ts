import { type FlatTexts, isGroup, type Texts } from './text-overrides.ts';

/** Every text by its key, such as `screens.common.terms`; lists are left out. */
export function flatTexts(texts: Texts, path = ''): FlatTexts {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(texts)) {
    const key = path ? `${path}.${name}` : name;
    if (typeof value === 'string') flat[key] = value;
    else if (isGroup(value)) Object.assign(flat, flatTexts(value, key));
  }
  return flat;
}
