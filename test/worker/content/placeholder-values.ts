import type { PlaceholderValues } from '../../../worker/content/page-placeholders.ts';

/** Values by name; every other placeholder is filled with `others`. */
export const valuesOf = (known: Record<string, string>, others = ''): PlaceholderValues =>
  new Proxy({} as PlaceholderValues, { get: (_, name) => () => known[String(name)] ?? others });
