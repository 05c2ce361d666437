import { DurableObject } from 'cloudflare:workers';
import type { SqlStorage } from '@cloudflare/workers-types';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { type DecisionBucket, firstBucket, isSurge, surge } from './rules/card-limits.ts';

const log = logger();

/** Key of the time until which visitors pass stricter limits, ms since 1970. */
const protectedUntil = 'protected-until';

function withTables(sql: SqlStorage): SqlStorage {
  sql.exec(`CREATE TABLE IF NOT EXISTS buckets
    (limiter TEXT, bucket INTEGER, declined INTEGER, decided INTEGER, PRIMARY KEY (bucket, limiter))
    WITHOUT ROWID`);
  return sql;
}

/** Adds up what the card limiters saw. They report in batches, so its load does not grow with the attempts. */
export class CardSurge extends DurableObject<Env> {
  readonly #sql = withTables(this.ctx.storage.sql);

  /** @returns until when visitors pass stricter limits, ms since 1970; 0 without a surge */
  async report(limiter: string, buckets: readonly DecisionBucket[]): Promise<number> {
    const now = Date.now();
    this.#deleteExpired(now);
    for (const { bucket, declined, decided } of buckets) {
      this.#sql.exec(
        `INSERT INTO buckets VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
         SET declined = excluded.declined, decided = excluded.decided WHERE excluded.decided > decided`,
        ...[limiter, bucket, declined, decided],
      );
    }
    this.#detectSurge(now);
    await this.#scheduleCleanup(now);
    return this.#protectedUntil();
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#deleteExpired(now);
    await this.#scheduleCleanup(now);
  }

  #protectedUntil(): number {
    return this.ctx.storage.kv.get<number>(protectedUntil) ?? 0;
  }

  #detectSurge(now: number): void {
    const { declined, decided } = this.#sql
      .exec<{ declined: number; decided: number }>(
        `SELECT IFNULL(SUM(declined), 0) AS declined, IFNULL(SUM(decided), 0) AS decided
         FROM buckets WHERE bucket >= ?`,
        firstBucket(now),
      )
      .one();
    if (!isSurge(declined, decided)) return;
    if (!this.#protectedUntil()) log('error', 'card_testing_detected', { count: declined });
    this.ctx.storage.kv.put(protectedUntil, now + surge.durationMs);
  }

  #deleteExpired(now: number): void {
    this.#sql.exec('DELETE FROM buckets WHERE bucket < ?', firstBucket(now));
    const until = this.#protectedUntil();
    if (until === 0 || until > now) return;
    this.ctx.storage.kv.delete(protectedUntil);
    log('info', 'card_testing_cleared');
  }

  async #scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    const rows = this.#sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM buckets').one().n;
    if (rows > 0 || this.#protectedUntil()) await this.ctx.storage.setAlarm(now + surge.windowMs);
  }
}
