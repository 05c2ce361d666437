import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60 * 1000;
/** How long one that was replayed is kept, in ms; one that was not is kept for good. */
const kept = 90 * day;
/** How long one for an ad network is kept, in ms: it tells of a buyer's browser, and nobody takes it then. */
const advertised = 7 * day;

/** A message that its queue gave up. Times in ms since 1970. */
export interface DeadLetter {
  id: string;
  /** Where it came from, and where it is replayed to. */
  queue: string;
  message: string;
  /** JSON. */
  body: string;
  reason: string;
  at: number;
  replayed_at: number | null;
}

/** Keeps messages of a queue; those that are here already stay as they are. */
export async function insertDeadLetters(
  db: D1Database,
  queue: string,
  messages: readonly { id: string; body: unknown }[],
  now: number,
): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO dead_letters (id, queue, message, body, reason, at)
     VALUES (?, ?, ?, ?, 'unknown', ?) ON CONFLICT DO NOTHING`,
  );
  await db.batch([
    db
      .prepare(
        `DELETE FROM dead_letters
         WHERE replayed_at < ?1 OR (queue = 'funnel-conversions' AND at < ?2)`,
      )
      .bind(now - kept, now - advertised),
    ...messages.map(({ id, body }) =>
      insert.bind(`${queue}:${id}`, queue, id, JSON.stringify(body) ?? 'null', now),
    ),
  ]);
}

const columns = 'id, queue, message, body, reason, at, replayed_at';

/** The newest dead letters that came before a time, those not replayed yet unless `all`. */
export async function listDeadLetters(
  db: D1Database,
  before: number,
  all: boolean,
): Promise<DeadLetter[]> {
  const { results } = await db
    .prepare(
      `SELECT ${columns} FROM dead_letters WHERE at < ? AND (? OR replayed_at IS NULL)
       ORDER BY at DESC, id LIMIT 100`,
    )
    .bind(before, all ? 1 : 0)
    .all<DeadLetter>();
  return results;
}

/**
 * Takes a dead letter up to be replayed, once for a command.
 *
 * @param command names the command, for repetitions
 * @returns `taken` is false when this command took it before; null when there is no such letter
 */
export async function takeDeadLetter(
  db: D1Database,
  id: string,
  command: string,
  now: number,
): Promise<{ letter: DeadLetter; taken: boolean } | null> {
  const taken = await db
    .prepare(
      `UPDATE dead_letters SET replay = ?2, replayed_at = ?3
       WHERE id = ?1 AND replay IS NOT ?2 RETURNING ${columns}`,
    )
    .bind(id, command, now)
    .first<DeadLetter>();
  if (taken) return { letter: taken, taken: true };
  const letter = await db
    .prepare(`SELECT ${columns} FROM dead_letters WHERE id = ?`)
    .bind(id)
    .first<DeadLetter>();
  return letter && { letter, taken: false };
}

/** Puts a dead letter back that its queue did not take. */
export async function returnDeadLetter(db: D1Database, id: string, command: string): Promise<void> {
  await db
    .prepare(
      'UPDATE dead_letters SET replay = NULL, replayed_at = NULL WHERE id = ? AND replay = ?',
    )
    .bind(id, command)
    .run();
}
