import type { D1Database } from '@cloudflare/workers-types';

export interface ScheduledRow {
  id: string;
  kind: 'config' | 'content';
  /** JSON: `DocumentChange[]`. */
  changes: string;
  /** JSON: the changes in words, one line each. */
  differences: string;
  operator: string;
  /** 1 for a person in the console, 0 for a command. */
  by_person: 0 | 1;
  reason: string;
  /** Ms since 1970. */
  due_at: number;
  state: 'waiting' | 'published' | 'refused' | 'cancelled';
  note: string;
}

/**
 * @param pending how many are pending as far as the editor's check knows; one statement compares, so that of two
 *   concurrent editors one is checked again
 * @returns false when others are pending, or when the id belongs to another or a cancelled one
 */
export async function insertScheduled(
  db: D1Database,
  row: Omit<ScheduledRow, 'state' | 'note'>,
  pending: number,
): Promise<boolean> {
  const insert = db
    .prepare(
      `INSERT OR IGNORE INTO scheduled_publications
       (id, kind, base, documents, changes, differences, operator, by_person, reason, due_at, state, note)
       SELECT ?1, ?2, '', '', ?3, ?4, ?5, ?6, ?7, ?8, 'waiting', '' WHERE ?9 = (
         SELECT count(*) FROM scheduled_publications WHERE kind = ?2 AND state = 'waiting')`,
    )
    .bind(
      row.id,
      row.kind,
      row.changes,
      row.differences,
      row.operator,
      row.by_person,
      row.reason,
      row.due_at,
      pending,
    );
  const same = db
    .prepare(
      `SELECT id FROM scheduled_publications WHERE id = ?1 AND kind = ?2 AND changes = ?3
       AND due_at = ?4 AND state <> 'cancelled'`,
    )
    .bind(row.id, row.kind, row.changes, row.due_at);
  const [, found] = await db.batch([insert, same]);
  return found !== undefined && found.results.length > 0;
}

export type PendingRow = Pick<ScheduledRow, 'id' | 'kind' | 'operator' | 'due_at' | 'changes'>;

/** Pending publications of a kind in the order of their times. */
export async function pendingPublications(
  db: D1Database,
  kind: ScheduledRow['kind'],
): Promise<PendingRow[]> {
  const { results } = await db
    .prepare(
      `SELECT id, kind, operator, due_at, changes FROM scheduled_publications
       WHERE kind = ? AND state = 'waiting' ORDER BY due_at, rowid`,
    )
    .bind(kind)
    .all<PendingRow>();
  return results;
}

export type ScheduledSummary = Omit<ScheduledRow, 'changes' | 'by_person'>;

const maxListed = 50;

/** Latest first. @param since ms since 1970 */
export async function listScheduled(
  db: D1Database,
  kind: ScheduledRow['kind'],
  since: number,
): Promise<ScheduledSummary[]> {
  const { results } = await db
    .prepare(
      `SELECT id, kind, differences, operator, reason, due_at, state, note
       FROM scheduled_publications WHERE kind = ?1 AND due_at > ?2 ORDER BY due_at DESC LIMIT ?3`,
    )
    .bind(kind, since, maxListed)
    .all<ScheduledSummary>();
  return results;
}

/** One statement, so that of two cron runs one claims it. @param lost time after which a run counts as dead */
export const claimDue = (db: D1Database, now: number, lost: number): Promise<ScheduledRow | null> =>
  db
    .prepare(
      `UPDATE scheduled_publications SET claimed_at = ?1 WHERE id = (
         SELECT id FROM scheduled_publications
         WHERE state = 'waiting' AND due_at <= ?1 AND (claimed_at IS NULL OR claimed_at < ?2)
         ORDER BY due_at, rowid LIMIT 1)
       RETURNING id, kind, changes, differences, operator, by_person, reason, due_at, state, note`,
    )
    .bind(now, lost)
    .first<ScheduledRow>();

/** Has no effect when it is no longer pending. */
export async function updateScheduled(
  db: D1Database,
  { id, state, note }: Pick<ScheduledRow, 'id' | 'state' | 'note'>,
): Promise<void> {
  await db
    .prepare(
      `UPDATE scheduled_publications SET state = ?2, note = ?3 WHERE id = ?1 AND state = 'waiting'`,
    )
    .bind(id, state, note)
    .run();
}

/** @returns its kind; null if it is no longer pending, or is being published right now */
export async function cancelScheduled(
  db: D1Database,
  { id, note, lost }: { id: string; note: string; lost: number },
): Promise<ScheduledRow['kind'] | null> {
  const cancelled = await db
    .prepare(
      `UPDATE scheduled_publications SET state = 'cancelled', note = ?2
       WHERE id = ?1 AND state = 'waiting' AND (claimed_at IS NULL OR claimed_at < ?3)
       RETURNING kind`,
    )
    .bind(id, note, lost)
    .first<Pick<ScheduledRow, 'kind'>>();
  return cancelled?.kind ?? null;
}
