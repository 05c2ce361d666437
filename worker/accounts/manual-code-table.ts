import type { D1Database } from '@cloudflare/workers-types';

const hour = 60 * 60 * 1000;
const lives = 24 * hour;
/** A code that ends sooner is replaced when it is asked for. */
const worthwhile = hour;
/** Tries that a code bears, the right one among them. */
const tries = 5;

/** A code counts only in the epoch of the account that it was made in. */
const current = 'epoch = (SELECT epoch FROM accounts WHERE accounts.id = account_id)';

/**
 * The seed of the account's code, the same while that is alive, else a new one.
 *
 * @param epoch of the session that asks
 * @param now ms since 1970
 * @returns null when the account's epoch has risen meanwhile
 */
export async function manualCodeSeed(
  db: D1Database,
  account: string,
  epoch: number,
  now: number,
): Promise<string | null> {
  const [, kept] = await db.batch<{ seed: string }>([
    db
      .prepare(
        `INSERT INTO hand_codes (account_id, seed, expires_at, epoch) VALUES (?1, ?2, ?3, ?6)
         ON CONFLICT (account_id) DO UPDATE
           SET seed = excluded.seed, expires_at = excluded.expires_at, used_at = NULL, tries = 0,
             epoch = excluded.epoch
           WHERE used_at IS NOT NULL OR tries >= ?4 OR hand_codes.expires_at <= ?5
             OR hand_codes.epoch < ?6`,
      )
      .bind(account, crypto.randomUUID(), now + lives, tries, now + worthwhile, epoch),
    db
      .prepare(`SELECT seed FROM hand_codes WHERE account_id = ? AND epoch = ? AND ${current}`)
      .bind(account, epoch),
  ]);
  return kept?.results[0]?.seed ?? null;
}

/**
 * Counts a try before anybody compares, so that many at the same moment are no more than five.
 *
 * @returns the seed to compare with; null when there is no code to try
 */
export function tryManualCode(
  db: D1Database,
  account: string,
  now: number,
): Promise<string | null> {
  return db
    .prepare(
      `UPDATE hand_codes SET tries = tries + 1
       WHERE account_id = ? AND used_at IS NULL AND expires_at > ? AND tries < ? AND ${current}
       RETURNING seed`,
    )
    .bind(account, now, tries)
    .first<string>('seed');
}

/** Uses the code up. @returns the account's epoch; null when another used it, or its epoch is over */
export function spendManualCode(
  db: D1Database,
  account: string,
  seed: string,
  now: number,
): Promise<number | null> {
  return db
    .prepare(
      `UPDATE hand_codes SET used_at = ?3
       WHERE account_id = ?1 AND seed = ?2 AND used_at IS NULL AND ${current} RETURNING epoch`,
    )
    .bind(account, seed, now)
    .first<number>('epoch');
}

/** Ends the account's code. */
export async function endManualCode(db: D1Database, account: string): Promise<void> {
  await db.prepare('DELETE FROM hand_codes WHERE account_id = ?').bind(account).run();
}
