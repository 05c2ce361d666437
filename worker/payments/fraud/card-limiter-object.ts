import { DurableObject } from 'cloudflare:workers';
import type { SqlStorage } from '@cloudflare/workers-types';
import type { Env } from '../../env.ts';
import type { ErrorCode } from '../../errors.ts';
import { logger } from '../../log.ts';
import { attemptRefusal, attemptWindowMs, isSurge, surge } from '../rules/card-limits.ts';

/** `undecided`: no bank ever saw the card. */
export type CardAttemptResult = 'paid' | 'declined' | 'unpaid' | 'undecided';

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
  CREATE INDEX IF NOT EXISTS decisions_by_time ON decisions (decided_at);`;

function withTables(sql: SqlStorage): SqlStorage {
  sql.exec(tables);
  return sql;
}

/** One instance, so that the counts are exact. It sees hashes, never a card or an IP. */
export class CardLimiter extends DurableObject<Env> {
  readonly #sql = withTables(this.ctx.storage.sql);

  async countAttempt(id: string, names: readonly string[]): Promise<ErrorCode | null> {
    const now = Date.now();
    this.#deleteExpired(now);
    if (this.#count('SELECT COUNT(*) AS n FROM card_attempts WHERE attempt_id = ?', id) > 0)
      return null;
    const isProtected = (this.ctx.storage.kv.get<number>(protectedUntil) ?? 0) > now;
    for (const name of names) {
      const attempts = this.#count('SELECT COUNT(*) AS n FROM card_attempts WHERE name = ?', name);
      const refusal = attemptRefusal(attempts, isProtected);
      if (refusal) return refusal;
    }
    for (const name of names)
      this.#sql.exec('INSERT INTO card_attempts VALUES (?, ?, ?)', id, name, now);
    await this.#scheduleCleanup();
    return null;
  }

  async recordResult(id: string, result: CardAttemptResult): Promise<void> {
    const now = Date.now();
    this.#deleteExpired(now);
    if (result === 'paid' || result === 'undecided') {
      this.#sql.exec('DELETE FROM card_attempts WHERE attempt_id = ?', id);
    }
    if (result === 'paid' || result === 'declined') {
      const declined = result === 'declined' ? 1 : 0;
      this.#sql.exec('INSERT OR IGNORE INTO decisions VALUES (?, ?, ?)', id, declined, now);
      this.#detectSurge(now);
    }
    await this.#scheduleCleanup();
  }

  override async alarm(): Promise<void> {
    this.#deleteExpired(Date.now());
    await this.#scheduleCleanup();
  }

  #detectSurge(now: number): void {
    const decided = this.#count('SELECT COUNT(*) AS n FROM decisions');
    const declined = this.#count('SELECT COUNT(*) AS n FROM decisions WHERE declined = 1');
    if (!isSurge(declined, decided)) return;
    const { kv } = this.ctx.storage;
    if (!kv.get(protectedUntil)) log('error', 'card_testing_detected', { count: declined });
    kv.put(protectedUntil, now + surge.durationMs);
  }

  #deleteExpired(now: number): void {
    this.#sql.exec('DELETE FROM card_attempts WHERE counted_at <= ?', now - attemptWindowMs);
    this.#sql.exec('DELETE FROM decisions WHERE decided_at <= ?', now - surge.windowMs);
    const { kv } = this.ctx.storage;
    if ((kv.get<number>(protectedUntil) ?? now + 1) > now) return;
    kv.delete(protectedUntil);
    log('info', 'card_testing_cleared');
  }

  async #scheduleCleanup(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    const hasAttempts = this.#count('SELECT COUNT(*) AS n FROM card_attempts') > 0;
    const hasRows = hasAttempts || this.#count('SELECT COUNT(*) AS n FROM decisions') > 0;
    if (hasRows || this.ctx.storage.kv.get(protectedUntil)) {
      await this.ctx.storage.setAlarm(Date.now() + surge.windowMs);
    }
  }

  #count(query: string, ...values: string[]): number {
    return this.#sql.exec<{ n: number }>(query, ...values).one().n;
  }
}

export const cardLimiterOf = (env: Env) => env.CARD_LIMITER.getByName('all');
