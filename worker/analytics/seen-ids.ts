import type { SqlStorage } from '@cloudflare/workers-types';
import { type Hash, IdSet, packed } from './rules/id-set.ts';
import type { HourKey } from './rules/log-entry.ts';

/** The ids of eight days, by hour: a few hours in memory, all in one row per hour and write. */
export class SeenIds {
  readonly #sql: SqlStorage;
  readonly #hours = new Map<number, IdSet>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS seen
      (hour INTEGER, seq INTEGER, ids BLOB, PRIMARY KEY (hour, seq)) WITHOUT ROWID`);
  }

  has([hour, hash]: HourKey): boolean {
    return this.#setOf(hour).has(hash);
  }

  /** Adds in memory only; `save` stores them. */
  add(keys: Iterable<HourKey>): void {
    for (const [hour, hash] of keys) this.#setOf(hour).add(hash);
  }

  /** @param seq of the write that counted these ids */
  save(keys: readonly HourKey[], seq: number): void {
    const byHour = new Map<number, Hash[]>();
    for (const [hour, hash] of keys) {
      const hashes = byHour.get(hour);
      if (hashes) hashes.push(hash);
      else byHour.set(hour, [hash]);
    }
    for (const [hour, hashes] of byHour) {
      const ids = packed(hashes).buffer;
      this.#sql.exec('INSERT OR REPLACE INTO seen VALUES (?, ?, ?)', hour, seq, ids);
    }
  }

  /** Frees memory; unsaved ids are lost. */
  evict(before = Number.POSITIVE_INFINITY): void {
    for (const hour of this.#hours.keys()) if (hour < before) this.#hours.delete(hour);
  }

  delete(before: number): void {
    this.#sql.exec('DELETE FROM seen WHERE hour < ?', before);
  }

  #setOf(hour: number): IdSet {
    const known = this.#hours.get(hour);
    if (known) return known;
    const set = new IdSet();
    const rows = this.#sql.exec<{ ids: ArrayBuffer }>('SELECT ids FROM seen WHERE hour = ?', hour);
    for (const { ids } of rows) set.addPacked(new Uint32Array(ids));
    this.#hours.set(hour, set);
    return set;
  }
}
