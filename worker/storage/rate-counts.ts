import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60 * 1000;

/** So many uses of a name within so many ms. A name may have several limits. */
export interface Limit {
  /** A keyed hash with what it counts in front; no personal data. */
  name: string;
  most: number;
  /** Ms, at most a day. */
  span: number;
}

/** The limits, ?1, that have no room left at a time, ?2. */
const full = `SELECT 1 FROM json_each(?1) AS l
  WHERE (SELECT COUNT(*) FROM rate_counts
         WHERE name = l.value ->> 'name' AND at > ?2 - (l.value ->> 'span')) >= l.value ->> 'most'`;

/** Whether every limit still has room. Counts nothing. @param now ms since 1970 */
export async function hasRoom(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<boolean> {
  const query = db.prepare(full).bind(JSON.stringify(limits), now);
  return (await query.first()) === null;
}

/**
 * Counts one use of each name, unless one of the limits is reached: then none. Exact, however many
 * ask at once.
 *
 * @param now ms since 1970
 * @returns false when a limit is reached
 */
export async function countUse(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<boolean> {
  const [, counted] = await db.batch([
    db.prepare('DELETE FROM rate_counts WHERE at <= ?').bind(now - day),
    db
      .prepare(
        `INSERT INTO rate_counts (name, at)
         SELECT DISTINCT value ->> 'name', ?2 FROM json_each(?1) WHERE NOT EXISTS (${full})
         RETURNING name`,
      )
      .bind(JSON.stringify(limits), now),
  ]);
  return (counted?.results.length ?? 0) > 0;
}

/** Takes back one use of each name, counted at a time. */
async function uncount(db: D1Database, limits: readonly Limit[], at: number): Promise<void> {
  const names = JSON.stringify(limits.map(({ name }) => name));
  await db
    .prepare(
      `DELETE FROM rate_counts WHERE rowid IN (
         SELECT MIN(rowid) FROM rate_counts
         WHERE at = ?2 AND name IN (SELECT value FROM json_each(?1)) GROUP BY name)`,
    )
    .bind(names, at)
    .run();
}

/**
 * Counts one use of each name before it is known whether it is one, so that many at once get no further
 * than one after another.
 *
 * @param now ms since 1970
 * @returns takes the use back, when it was none; null when a limit is reached
 */
export async function reserveUse(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<(() => Promise<void>) | null> {
  if (limits.length === 0) return async () => {};
  return (await countUse(db, limits, now)) ? () => uncount(db, limits, now) : null;
}
