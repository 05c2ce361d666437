import type { D1Database } from '@cloudflare/workers-types';
import { dayMs } from './durations.ts';
import type { Log } from './log.ts';

/** A name may have several limits. */
export interface Limit {
  name: string;
  max: number;
  windowMs: number;
}

const reached = `SELECT 1 FROM json_each(?1) AS l
  WHERE (SELECT COUNT(*) FROM rate_counts
         WHERE name = l.value ->> 'name' AND used_at > ?2 - (l.value ->> 'windowMs')) >= l.value ->> 'max'`;

export async function hasRoom(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<boolean> {
  const query = db.prepare(reached).bind(JSON.stringify(limits), now);
  return (await query.first()) === null;
}

/** Logs `event` during a surge. @param limit of all visitors together */
export async function isBelowSurge(
  db: D1Database,
  limit: Limit,
  event: string,
  log: Log,
): Promise<boolean> {
  const isBelow = await hasRoom(db, [limit], Date.now());
  if (!isBelow) log('error', event, { count: limit.max });
  return isBelow;
}

/** Counts uses for `isBelowSurge` and refuses none. */
export const withoutLimit = (limit: Limit): Limit => ({ ...limit, max: Number.MAX_SAFE_INTEGER });

/** Counts one use of each name, exactly. @returns false, and counts nothing, when a limit is reached */
export async function countUse(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<boolean> {
  const [, counted] = await db.batch([
    db.prepare('DELETE FROM rate_counts WHERE used_at <= ?').bind(now - dayMs),
    db
      .prepare(
        `INSERT INTO rate_counts (name, used_at)
         SELECT DISTINCT value ->> 'name', ?2 FROM json_each(?1) WHERE NOT EXISTS (${reached})
         RETURNING name`,
      )
      .bind(JSON.stringify(limits), now),
  ]);
  return (counted?.results.length ?? 0) > 0;
}

/** When none of the limits is reached any more, ms since 1970. */
export async function roomAt(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<number> {
  const oldest = limits.map(({ name, max }) =>
    db
      .prepare(
        'SELECT used_at AS at FROM rate_counts WHERE name = ? ORDER BY used_at DESC LIMIT 1 OFFSET ?',
      )
      .bind(name, max - 1),
  );
  const found = oldest.length > 0 ? await db.batch<{ at: number }>(oldest) : [];
  const ends = limits.map(({ windowMs }, index) => (found[index]?.results[0]?.at ?? 0) + windowMs);
  return Math.max(now, ...ends);
}

async function uncount(db: D1Database, limits: readonly Limit[], at: number): Promise<void> {
  const names = JSON.stringify(limits.map(({ name }) => name));
  await db
    .prepare(
      `DELETE FROM rate_counts WHERE rowid IN (
         SELECT MIN(rowid) FROM rate_counts
         WHERE used_at = ?2 AND name IN (SELECT value FROM json_each(?1)) GROUP BY name)`,
    )
    .bind(names, at)
    .run();
}

/** Parallel requests cannot exceed a limit together. @returns a function that undoes the use; null at a limit */
export async function reserveUse(
  db: D1Database,
  limits: readonly Limit[],
  now: number,
): Promise<(() => Promise<void>) | null> {
  if (limits.length === 0) return async () => {};
  return (await countUse(db, limits, now)) ? () => uncount(db, limits, now) : null;
}
