import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types';
import type { VisitorId } from '../platform/types.ts';
import { getEvents, objectKey, putEvents } from './event-objects.ts';
import { hashOf, packed } from './rules/id-set.ts';
import type { StoredEvent } from './rules/stored-event.ts';
import { hourOf } from './rules/tally.ts';

/** The shard's objects in R2, with the visitors in each, so that one person's events can be found. */
export class StoredObjects {
  readonly #sql: SqlStorage;
  readonly #bucket: R2Bucket;

  constructor(sql: SqlStorage, bucket: R2Bucket) {
    this.#sql = sql;
    this.#bucket = bucket;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS objects
        (key TEXT PRIMARY KEY, hour INTEGER, visitors BLOB) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS erasures
        (visitor TEXT PRIMARY KEY, requested_at INTEGER, is_done INTEGER) WITHOUT ROWID;`);
  }

  /** A repeated call writes the same objects. @param seq names them */
  async write(events: readonly StoredEvent[], shard: string, seq: number): Promise<void> {
    for (const [hour, own] of Map.groupBy(events, ({ at }) => hourOf(at))) {
      const key = objectKey(hour, shard, seq);
      await putEvents(this.#bucket, key, own);
      this.#index(key, hour, own);
    }
  }

  async eventsOf(visitor: VisitorId): Promise<StoredEvent[]> {
    const found: StoredEvent[] = [];
    for (const { key } of this.#objectsOf(visitor)) {
      found.push(...(await getEvents(this.#bucket, key)).filter((one) => one.visitor === visitor));
    }
    return found;
  }

  requestErasure(visitor: VisitorId, now: number): void {
    this.#sql.exec(
      `INSERT INTO erasures VALUES (?, ?, 0)
       ON CONFLICT (visitor) DO UPDATE SET requested_at = excluded.requested_at, is_done = 0`,
      visitor,
      now,
    );
  }

  erasures(onlyPending = false): VisitorId[] {
    const query = `SELECT visitor FROM erasures ${onlyPending ? 'WHERE is_done = 0' : ''}`;
    return [...this.#sql.exec<{ visitor: VisitorId }>(query)].map(({ visitor }) => visitor);
  }

  /** Rewrites the objects that contain events of visitors to erase. @param isDue when no event of theirs waits */
  async erasePending(isDue: (visitor: VisitorId) => boolean): Promise<void> {
    for (const visitor of this.erasures(true).filter(isDue)) {
      for (const { key, hour } of this.#objectsOf(visitor)) {
        const events = await getEvents(this.#bucket, key);
        const others = events.filter((event) => event.visitor !== visitor);
        if (others.length < events.length) await putEvents(this.#bucket, key, others);
        this.#index(key, hour, others);
      }
      this.#sql.exec('UPDATE erasures SET is_done = 1 WHERE visitor = ?', visitor);
    }
  }

  /** @param objectsBefore ms since 1970; older objects have been deleted by the bucket */
  forget(objectsBefore: number, erasuresBefore: number): void {
    this.#sql.exec('DELETE FROM objects WHERE hour < ?', objectsBefore);
    this.#sql.exec('DELETE FROM erasures WHERE is_done = 1 AND requested_at < ?', erasuresBefore);
  }

  #index(key: string, hour: number, events: readonly StoredEvent[]): void {
    if (events.length === 0) return void this.#sql.exec('DELETE FROM objects WHERE key = ?', key);
    const visitors = packed([...new Set(events.map(({ visitor }) => visitor))].map(hashOf));
    const blob = visitors.buffer;
    this.#sql.exec('INSERT OR REPLACE INTO objects VALUES (?, ?, ?)', key, hour, blob);
  }

  #objectsOf(visitor: VisitorId): { key: string; hour: number }[] {
    const [high, low] = hashOf(visitor);
    const rows = this.#sql.exec<{ key: string; hour: number; visitors: ArrayBuffer }>(
      'SELECT key, hour, visitors FROM objects',
    );
    const found: { key: string; hour: number }[] = [];
    for (const { key, hour, visitors } of rows) {
      const halves = new Uint32Array(visitors);
      const isIn = halves.some(
        (half, at) => at % 2 === 0 && half === high && halves[at + 1] === low,
      );
      if (isIn) found.push({ key, hour });
    }
    return found;
  }
}
