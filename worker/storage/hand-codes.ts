import type { D1Database } from '@cloudflare/workers-types';

const hour = 60 * 60 * 1000;
const lives = 24 * hour;
/** A code that ends sooner is replaced when it is asked for. */
const worthwhile = hour;
/** Tries that a code bears, the right one among them. */
const tries = 5;

/**
 * The seed of the account's code, the same while that is alive, else a new one.
 *
 * @param now ms since 1970
 */
export async function handCodeSeed(db: D1Database, account: string, now: number): Promise<string> {
  const [, kept] = await db.batch<{ seed: string }>([
    db
      .prepare(
        `INSERT INTO hand_codes (account_id, seed, expires_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (account_id) DO UPDATE
           SET seed = excluded.seed, expires_at = excluded.expires_at, used_at = NULL, tries = 0
           WHERE used_at IS NOT NULL OR tries >= ?4 OR hand_codes.expires_at <= ?5`,
      )
      .bind(account, crypto.randomUUID(), now + lives, tries, now + worthwhile),
    db.prepare('SELECT seed FROM hand_codes WHERE account_id = ?').bind(account),
  ]);
  const seed = kept?.results[0]?.seed;
  if (!seed) throw new Error('no seed');
  return seed;
}

/**
 * Counts a try before anybody compares, so that many at the same moment are no more than five.
 *
 * @returns the seed to compare with; null when there is no code to try
 */
export function tryHandCode(db: D1Database, account: string, now: number): Promise<string | null> {
  return db
    .prepare(
      `UPDATE hand_codes SET tries = tries + 1
       WHERE account_id = ? AND used_at IS NULL AND expires_at > ? AND tries < ?
       RETURNING seed`,
    )
    .bind(account, now, tries)
    .first<string>('seed');
}

/** Uses the code up; false when another did. */
export async function spendHandCode(
  db: D1Database,
  account: string,
  seed: string,
  now: number,
): Promise<boolean> {
  const used = await db
    .prepare(
      `UPDATE hand_codes SET used_at = ?3
       WHERE account_id = ?1 AND seed = ?2 AND used_at IS NULL RETURNING seed`,
    )
    .bind(account, seed, now)
    .first();
  return used !== null;
}

/** Ends the account's code. */
export async function endHandCode(db: D1Database, account: string): Promise<void> {
  await db.prepare('DELETE FROM hand_codes WHERE account_id = ?').bind(account).run();
}
