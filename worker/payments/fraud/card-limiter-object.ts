import { DurableObject } from 'cloudflare:workers';
import type { SqlStorage } from '@cloudflare/workers-types';
import { siteFactor } from '../../http/client-ip.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import type { Refused } from '../../platform/errors.ts';
import { limiterShardOf } from '../../platform/limiter-shards.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import {
  attemptRefusal,
  attemptWindowMs,
  bucketMs,
  bucketOf,
  type DecisionBucket,
  firstBucket,
  reportIntervalMs,
  surge,
} from './rules/card-limits.ts';

const log = logger();

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

/** Exact counts by hash, never a card or an IP. `CARD_SURGE` knows whether all limiters together see a surge. */
export class CardLimiter extends DurableObject<Env> {
  readonly #sql = withTables(this.ctx.storage.sql);
  #reportedAt = 0;
  /** The first bucket that the sum may not have; null when it has all. */
  #unreported: number | null = 0;
  #protectedUntil = 0;

  async countAttempt(id: string, name: string): Promise<Refused | null> {
    await this.#exchange();
    const now = Date.now();
    this.#deleteExpired(now);
    if (this.#count('attempt_id = ? AND name = ?', id, name) > 0) return null;
    const isProtected = this.#protectedUntil > now;
    const counted = this.#count('name = ?', name);
    const share = name.startsWith('site:') ? Math.floor(counted / siteFactor) : counted;
    const refusal = attemptRefusal(share, isProtected);
    if (refusal) return refusal;
    this.#sql.exec('INSERT INTO card_attempts VALUES (?, ?, ?)', id, name, now);
    await this.#setAlarmBy(now + surge.windowMs);
    return null;
  }

  releaseAttempt(id: string, name: string): void {
    this.#sql.exec('DELETE FROM card_attempts WHERE attempt_id = ? AND name = ?', id, name);
  }

  async recordDecision(id: string, isDeclined: boolean): Promise<void> {
    const now = Date.now();
    const declined = isDeclined ? 1 : 0;
    this.#sql.exec('INSERT OR IGNORE INTO decisions VALUES (?, ?, ?)', id, declined, now);
    this.#markUnreported(bucketOf(now));
    await this.#exchange();
    await this.#scheduleNext();
  }

  override async alarm(): Promise<void> {
    await this.#exchange();
    this.#deleteExpired(Date.now());
    await this.#scheduleNext();
  }

  /** Reports at most once per interval. A failed report is repeated with the next one. */
  async #exchange(): Promise<void> {
    const now = Date.now();
    if (now < this.#reportedAt + reportIntervalMs) return;
    this.#reportedAt = now;
    const since = this.#unreported;
    this.#unreported = null;
    try {
      const sum = withBindingTimeouts(this.env).CARD_SURGE.getByName('all');
      this.#protectedUntil = await sum.report(`${this.ctx.id}`, this.#bucketsSince(since, now));
    } catch (error) {
      if (since !== null) this.#markUnreported(since);
      log('warn', 'card_surge_report_failed', { reason: reasonOf(error) });
    }
  }

  #markUnreported(bucket: number): void {
    this.#unreported = Math.min(this.#unreported ?? bucket, bucket);
  }

  #bucketsSince(bucket: number | null, now: number): DecisionBucket[] {
    if (bucket === null) return [];
    const query = `SELECT decided_at / ${bucketMs} AS bucket, SUM(declined) AS declined,
      COUNT(*) AS decided FROM decisions WHERE decided_at >= ? GROUP BY 1`;
    const from = Math.max(bucket, firstBucket(now)) * bucketMs;
    return this.#sql
      .exec<{ bucket: number; declined: number; decided: number }>(query, from)
      .toArray();
  }

  #deleteExpired(now: number): void {
    this.#sql.exec('DELETE FROM card_attempts WHERE counted_at <= ?', now - attemptWindowMs);
    this.#sql.exec('DELETE FROM decisions WHERE decided_at < ?', firstBucket(now) * bucketMs);
  }

  async #scheduleNext(): Promise<void> {
    const now = Date.now();
    const count = (table: string) =>
      this.#sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n;
    const decisions = count('decisions');
    // An alarm may fire before the next report is due, so the interval counts from the last report.
    const reportAt = Math.max(now, this.#reportedAt + reportIntervalMs);
    if (this.#unreported !== null && decisions > 0) await this.#setAlarmBy(reportAt);
    else if (decisions + count('card_attempts') > 0) await this.#setAlarmBy(now + surge.windowMs);
  }

  async #setAlarmBy(at: number): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > at) await this.ctx.storage.setAlarm(at);
  }

  #count(where: string, ...values: string[]): number {
    const query = `SELECT COUNT(*) AS n FROM card_attempts WHERE ${where}`;
    return this.#sql.exec<{ n: number }>(query, ...values).one().n;
  }
}

/** @param counter a visitor or IP for its attempts, an attempt's id for its decision */
export const cardLimiterOf = (env: Env, counter: string) =>
  env.CARD_LIMITER.getByName(limiterShardOf(counter));
