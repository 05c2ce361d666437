import type { D1Database } from '@cloudflare/workers-types';
import { dayMs } from '../platform/durations.ts';

/** For replayed dead letters; the others are never deleted. */
const replayedRetentionMs = 90 * dayMs;
/** Ad networks refuse older purchases, and the letter contains data about the buyer's browser. */
const conversionRetentionMs = 7 * dayMs;

export interface DeadLetter {
  id: string;
  queue: string;
  message_id: string;
  body: string;
  reason: string;
  stored_at: number;
  replayed_at: number | null;
}

/** Called hourly, because a letter may be the last for a long time. */
export async function deleteExpiredLetters(db: D1Database, now: number): Promise<void> {
  await db
    .prepare(
      `DELETE FROM dead_letters
       WHERE replayed_at < ?1 OR (queue = 'funnel-conversions' AND stored_at < ?2)`,
    )
    .bind(now - replayedRetentionMs, now - conversionRetentionMs)
    .run();
}

/** Inserts messages that are not stored yet. */
export async function insertDeadLetters(
  db: D1Database,
  queue: string,
  messages: readonly { id: string; body: unknown }[],
  now: number,
): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO dead_letters (id, queue, message_id, body, reason, stored_at)
     VALUES (?, ?, ?, ?, 'unknown', ?) ON CONFLICT DO NOTHING`,
  );
  await db.batch(
    messages.map(({ id, body }) =>
      insert.bind(`${queue}:${id}`, queue, id, JSON.stringify(body) ?? 'null', now),
    ),
  );
}

const columns = 'id, queue, message_id, body, reason, stored_at, replayed_at';

/** The newest 100 before a time; without replayed ones unless `all`. */
export async function listDeadLetters(
  db: D1Database,
  before: number,
  all: boolean,
): Promise<DeadLetter[]> {
  const { results } = await db
    .prepare(
      `SELECT ${columns} FROM dead_letters WHERE stored_at < ? AND (? OR replayed_at IS NULL)
       ORDER BY stored_at DESC, id LIMIT 100`,
    )
    .bind(before, all ? 1 : 0)
    .all<DeadLetter>();
  return results;
}

/** @returns null for an unknown id; `claimed` is false when this command claimed it before */
export async function claimDeadLetter(
  db: D1Database,
  id: string,
  command: string,
  now: number,
): Promise<{ letter: DeadLetter; claimed: boolean } | null> {
  const claimed = await db
    .prepare(
      `UPDATE dead_letters SET replay_key = ?2, replayed_at = ?3
       WHERE id = ?1 AND replay_key IS NOT ?2 RETURNING ${columns}`,
    )
    .bind(id, command, now)
    .first<DeadLetter>();
  if (claimed) return { letter: claimed, claimed: true };
  const letter = await db
    .prepare(`SELECT ${columns} FROM dead_letters WHERE id = ?`)
    .bind(id)
    .first<DeadLetter>();
  return letter && { letter, claimed: false };
}

/** Releases the claim when the queue did not accept the message. */
export async function releaseDeadLetter(
  db: D1Database,
  id: string,
  command: string,
): Promise<void> {
  await db
    .prepare(
      `UPDATE dead_letters SET replay_key = NULL, replayed_at = NULL
       WHERE id = ? AND replay_key = ?`,
    )
    .bind(id, command)
    .run();
}
