import type { D1Database } from '@cloudflare/workers-types';

/** What an operator does. */
export interface OperatorCommand {
  who: string;
  /** Such as `refund`. */
  what: string;
  /** What it is done to: the id of a payment, an attempt, a dead letter. */
  target: string;
  /** What was asked, JSON. */
  details: object;
  reason: string;
}

/**
 * Notes a deed before it is done.
 *
 * @param now ms since 1970
 * @returns the id of the row
 */
export async function insertCommand(
  db: D1Database,
  deed: OperatorCommand,
  now: number,
): Promise<string> {
  const id = crypto.randomUUID();
  const { who, what, target, details, reason } = deed;
  await db
    .prepare(
      `INSERT INTO audit (id, who, what, target, details, reason, at, result)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'begun')`,
    )
    .bind(id, who, what, target, JSON.stringify(details), reason, now)
    .run();
  return id;
}

/** Notes what a deed came to. */
export async function recordCommandResult(
  db: D1Database,
  id: string,
  result: string,
): Promise<void> {
  await db.prepare('UPDATE audit SET result = ?2 WHERE id = ?1').bind(id, result).run();
}
