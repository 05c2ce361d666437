import type { D1Database } from '@cloudflare/workers-types';

/** How long it is known who had an intro, or pays in full, in ms. */
const retentionMs = 400 * 24 * 60 * 60_000;

/**
 * Reserves an intro under all of its names, or under none. Doing so again for the same attempt
 * changes nothing.
 *
 * @param names keyed hashes
 * @param now ms since 1970
 * @returns false when another attempt has one of them
 */
export async function reserveIntro(
  db: D1Database,
  names: readonly string[],
  attempt: string,
  now: number,
): Promise<boolean> {
  const all = JSON.stringify(names);
  const [, , taken] = await db.batch<{ n: number }>([
    db.prepare('DELETE FROM intros WHERE at < ?').bind(now - retentionMs),
    db
      .prepare(
        `INSERT INTO intros (name, attempt, at) SELECT value, ?2, ?3 FROM json_each(?1)
         WHERE NOT EXISTS (SELECT 1 FROM intros
           WHERE name IN (SELECT value FROM json_each(?1)) AND attempt <> ?2)
         ON CONFLICT (name) DO NOTHING`,
      )
      .bind(all, attempt, now),
    db
      .prepare(
        `SELECT COUNT(*) AS n FROM intros
         WHERE name IN (SELECT value FROM json_each(?1)) AND attempt <> ?2`,
      )
      .bind(all, attempt),
  ]);
  return taken?.results[0]?.n === 0;
}

/** Gives an intro back that was not bought. */
export async function releaseIntro(db: D1Database, attempt: string): Promise<void> {
  await db.prepare('DELETE FROM intros WHERE attempt = ?').bind(attempt).run();
}

/** Notes that nothing is sold for less under a name. @param name a keyed hash */
export async function noteFullPrice(db: D1Database, name: string, now: number): Promise<void> {
  await db
    .prepare(`INSERT INTO intros (name, attempt, at) VALUES (?1, '', ?2)
              ON CONFLICT (name) DO UPDATE SET at = ?2`)
    .bind(name, now)
    .run();
}

/** Whether nothing is sold for less under a name. */
export async function isFullPrice(db: D1Database, name: string, now: number): Promise<boolean> {
  const found = await db
    .prepare('SELECT 1 FROM intros WHERE name = ? AND at >= ?')
    .bind(name, now - retentionMs)
    .first();
  return found !== null;
}
