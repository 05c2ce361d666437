import type { Documents } from '../../../documents/document-set.ts';
import { type DocumentChange, withChanges } from '../../../documents/rules/document-changes.ts';

export interface Pending {
  id: string;
  operator: string;
  /** Ms since 1970. */
  due_at: number;
  /** JSON: `DocumentChange[]`. */
  changes: string;
}

export interface Blocked<Row extends Pending> {
  row: Row;
  /** Such as `config.json experiment changed in the meantime`. */
  problem: string;
}

export const conflictIn = (paths: readonly string[]): string =>
  `${paths.slice(0, 5).join(', ')} changed in the meantime`;

/**
 * Publications that could not be published if all pending ones went live at their times, one after the other.
 *
 * @param rows in the order of their times
 * @param errorsIn what makes documents invalid, one line each
 */
export function blockedPublications<Row extends Pending>(
  live: Documents,
  rows: readonly Row[],
  errorsIn: (documents: Documents) => readonly string[],
): Blocked<Row>[] {
  let documents = live;
  return rows.flatMap((row) => {
    const merged = withChanges(documents, JSON.parse(row.changes) as DocumentChange[]);
    if (merged.kind === 'conflict') return [{ row, problem: conflictIn(merged.paths) }];
    const errors = errorsIn(merged.documents);
    if (errors.length > 0) return [{ row, problem: errors.slice(0, 5).join('; ') }];
    documents = merged.documents;
    return [];
  });
}
