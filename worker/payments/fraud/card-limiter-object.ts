import { DurableObject } from 'cloudflare:workers';
import type { SqlStorage } from '@cloudflare/workers-types';
import { siteFactor } from '../../http/client-ip.ts';
import type { Env } from '../../platform/env.ts';
import type { Refused } from '../../platform/errors.ts';
import { logger } from '../../platform/log.ts';
import {
  attemptRefusal,
  attemptWindowMs,
  bucketMs,
  firstBucket,
  isSurge,
  limitBucket,
  surge,
} from './rules/card-limits.ts';

const log = logger();

/** Key of the time until which visitors pass stricter limits, ms since 1970. */
const protectedUntil = 'protected-until';

const tables = `
  CREATE TABLE IF NOT EXISTS card_attempts
    (attempt_id TEXT, name TEXT, counted_at INTEGER, PRIMARY KEY (attempt_id, name));
  CREATE INDEX IF NOT EXISTS card_attempts_by_name ON card_attempts (name);
  CREATE INDEX IF NOT EXISTS card_attempts_by_time ON card_attempts (counted_at);
  CREATE TABLE IF NOT EXISTS decisions
    (attempt_id TEXT PRIMARY KEY, declined INTEGER, decided_at INTEGER);
  CREATE INDEX IF NOT EXISTS decisions_by_time ON decisions (decided_at);
  CREATE TABLE IF NOT EXISTS buckets (bucket INTEGER PRIMARY KEY, declined INTEGER, decided INTEGER);`;

function withTables(sql: SqlStorage): SqlStorage {
  sql.exec(tables);
  return sql;
}

/** `undecided`: the card never reached a bank. */
export type CardAttemptResult = 'paid' | 'declined' | 'unpaid' | 'undecided';

/** Counts card attempts and the banks' decisions exactly, by hash: never a card or an IP. */
export class CardLimiter extends DurableObject<Env> {
  readonly #sql = withTables(this.ctx.storage.sql);

  /** Counts an attempt once under each of its names; under none of them if one name has reached its limit. */
  async countAttempt(id: string, names: readonly string[]): Promise<Refused | null> {
    const now = Date.now();
    this.#update(now);
    const isProtected = this.#protectedUntil() > now;
    const more = names.filter((name) => this.#count('attempt_id = ? AND name = ?', id, name) === 0);
    for (const name of more) {
      const counted = this.#count('name = ?', name);
      const share = name.startsWith('site:') ? Math.floor(counted / siteFactor) : counted;
      const refusal = attemptRefusal(share, isProtected);
      if (refusal) return refusal;
    }
    for (const name of more)
      this.#sql.exec('INSERT INTO card_attempts VALUES (?, ?, ?)', id, name, now);
    await this.#scheduleCleanup(now);
    return null;
  }

  /** Idempotent. An attempt that was paid, or that no bank saw, no longer counts. */
  async recordResult(id: string, result: CardAttemptResult): Promise<void> {
    const now = Date.now();
    if (result === 'paid' || result === 'undecided')
      this.#sql.exec('DELETE FROM card_attempts WHERE attempt_id = ?', id);
    if (result === 'paid' || result === 'declined')
      this.#recordDecision(id, result === 'declined' ? 1 : 0, now);
    this.#update(now);
    await this.#scheduleCleanup(now);
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#update(now);
    await this.#scheduleCleanup(now);
  }

  #recordDecision(id: string, declined: number, now: number): void {
    const query = 'INSERT OR IGNORE INTO decisions VALUES (?, ?, ?) RETURNING attempt_id';
    if (this.#sql.exec(query, id, declined, now).toArray().length === 0) return;
    // Sums of ten seconds, so that a surge is detected without reading each of its decisions.
    this.#sql.exec(
      `INSERT INTO buckets VALUES (?, ?, 1) ON CONFLICT DO UPDATE
       SET declined = declined + excluded.declined, decided = decided + 1`,
      ...[limitBucket(now), declined],
    );
  }

  #protectedUntil(): number {
    return this.ctx.storage.kv.get<number>(protectedUntil) ?? 0;
  }

  /** Forgets what no longer counts, and begins or ends the protection. */
  #update(now: number): void {
    this.#sql.exec('DELETE FROM card_attempts WHERE counted_at <= ?', now - attemptWindowMs);
    this.#sql.exec('DELETE FROM decisions WHERE decided_at < ?', firstBucket(now) * bucketMs);
    this.#sql.exec('DELETE FROM buckets WHERE bucket < ?', firstBucket(now));
    const until = this.#protectedUntil();
    if (until !== 0 && until <= now) {
      this.ctx.storage.kv.delete(protectedUntil);
      log('info', 'card_testing_cleared');
    }
    const { declined, decided } = this.#sql
      .exec<{ declined: number; decided: number }>(
        'SELECT IFNULL(SUM(declined), 0) AS declined, IFNULL(SUM(decided), 0) AS decided FROM buckets',
      )
      .one();
    if (!isSurge(declined, decided)) return;
    if (!this.#protectedUntil()) log('error', 'card_testing_detected', { count: declined });
    this.ctx.storage.kv.put(protectedUntil, now + surge.durationMs);
  }

  async #scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    const query = `SELECT EXISTS (SELECT 1 FROM card_attempts) OR EXISTS (SELECT 1 FROM decisions) AS kept`;
    const { kept } = this.#sql.exec<{ kept: number }>(query).one();
    if (kept || this.#protectedUntil()) await this.ctx.storage.setAlarm(now + surge.windowMs);
  }

  #count(where: string, ...values: string[]): number {
    const query = `SELECT COUNT(*) AS n FROM card_attempts WHERE ${where}`;
    return this.#sql.exec<{ n: number }>(query, ...values).one().n;
  }
}

export const cardLimiter = (env: Env) => env.CARD_LIMITER.getByName('all');
