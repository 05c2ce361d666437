import type { D1Database } from '@cloudflare/workers-types';
import { dayMs } from '../../platform/durations.ts';
import type { AttemptId } from '../../platform/types.ts';

const retentionMs = 400 * dayMs;

/** Reserves under all of the keyed hashes, or under none. Idempotent. @returns false when another attempt has one */
export async function reserveOnce(
  db: D1Database,
  nameHashes: readonly string[],
  attempt: AttemptId,
  now: number,
): Promise<boolean> {
  const all = JSON.stringify(nameHashes);
  const [, , others] = await db.batch<{ n: number }>([
    db.prepare('DELETE FROM intros WHERE reserved_at < ?').bind(now - retentionMs),
    db
      .prepare(
        `INSERT INTO intros (name_hash, attempt_id, reserved_at) SELECT value, ?2, ?3 FROM json_each(?1)
         WHERE NOT EXISTS (SELECT 1 FROM intros
           WHERE name_hash IN (SELECT value FROM json_each(?1)) AND attempt_id <> ?2)
         ON CONFLICT (name_hash) DO NOTHING`,
      )
      .bind(all, attempt, now),
    db
      .prepare(
        `SELECT COUNT(*) AS n FROM intros
         WHERE name_hash IN (SELECT value FROM json_each(?1)) AND attempt_id <> ?2`,
      )
      .bind(all, attempt),
  ]);
  return others?.results[0]?.n === 0;
}

/** For a database that gets no new intros, so it is cleaned up here. */
export async function hasOtherReservation(
  db: D1Database,
  nameHash: string,
  attempt: AttemptId,
  now: number,
): Promise<boolean> {
  const [, other] = await db.batch([
    db.prepare('DELETE FROM intros WHERE reserved_at < ?').bind(now - retentionMs),
    db
      .prepare('SELECT 1 FROM intros WHERE name_hash = ? AND attempt_id <> ?')
      .bind(nameHash, attempt),
  ]);
  return (other?.results.length ?? 0) > 0;
}

export async function releaseReservations(db: D1Database, attempt: AttemptId): Promise<void> {
  await db.prepare('DELETE FROM intros WHERE attempt_id = ?').bind(attempt).run();
}

export async function markPerson(db: D1Database, nameHash: string, now: number): Promise<void> {
  await db
    .prepare(`INSERT INTO intros (name_hash, attempt_id, reserved_at) VALUES (?1, '', ?2)
              ON CONFLICT (name_hash) DO UPDATE SET reserved_at = ?2`)
    .bind(nameHash, now)
    .run();
}

export async function isMarked(db: D1Database, nameHash: string, now: number): Promise<boolean> {
  const found = await db
    .prepare('SELECT 1 FROM intros WHERE name_hash = ? AND reserved_at >= ?')
    .bind(nameHash, now - retentionMs)
    .first();
  return found !== null;
}
