import { missing } from './errors.ts';

/** The object of a table; throws `resource_missing` (404 for the path, 400 for a parameter). */
export function find<T>(table: Record<string, T>, kind: string, id: string, param = 'id'): T {
  const found = table[id];
  if (!found) throw missing(kind, id, param);
  return found;
}

/** The id of a reference; stored objects never hold expanded ones. */
export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');
