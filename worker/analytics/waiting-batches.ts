import type { SqlStorage } from '@cloudflare/workers-types';
import type { VisitorId } from '../platform/types.ts';
import type { LogEntry } from './rules/log-entry.ts';

/** Bytes of JSON: about 5,000 events, which fit into memory, one statement and one object. */
const maxChunkBytes = 2_000_000;
const maxRowBytes = 500_000;

export interface Chunk {
  first: number;
  last: number;
  entries: LogEntry[];
}

export type Destination = 'rollups' | 'objects' | 'planned object';

/** Keeps entries in their order of arrival until D1 and R2 have them. */
export class WaitingBatches {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS batches (seq INTEGER PRIMARY KEY, entries TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS reached
        (destination TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;`);
  }

  get isEmpty(): boolean {
    return this.#sql.exec('SELECT 1 FROM batches LIMIT 1').toArray().length === 0;
  }

  hasEventOf(visitor: VisitorId): boolean {
    const query = 'SELECT 1 FROM batches WHERE instr(entries, ?) LIMIT 1';
    return this.#sql.exec(query, `"visitor":${JSON.stringify(visitor)}`).toArray().length > 0;
  }

  add(entries: readonly LogEntry[]): void {
    let row: string[] = [];
    let bytes = 0;
    const write = () => {
      if (row.length === 0) return;
      const entries = `[${row.join(',')}]`;
      this.#sql.exec('INSERT INTO batches VALUES (?, ?)', this.#lastSeq() + 1, entries);
      row = [];
      bytes = 0;
    };
    for (const entry of entries) {
      const text = JSON.stringify(entry);
      if (bytes + text.length > maxRowBytes) write();
      row.push(text);
      bytes += text.length;
    }
    write();
  }

  /** @returns the last batch that the destination has */
  reached(destination: Destination): number {
    const query = 'SELECT seq FROM reached WHERE destination = ?';
    return this.#sql.exec<{ seq: number }>(query, destination).toArray()[0]?.seq ?? 0;
  }

  /** A write that a later one overtook moves nothing back. */
  setReached(destination: Destination, seq: number): void {
    this.#sql.exec(
      `INSERT INTO reached VALUES (?, ?)
       ON CONFLICT (destination) DO UPDATE SET seq = max(seq, excluded.seq)`,
      destination,
      seq,
    );
    const both = Math.min(this.reached('rollups'), this.reached('objects'));
    this.#sql.exec('DELETE FROM batches WHERE seq <= ?', both);
  }

  /** Their end is stored before the write, so that a retry writes the same object, however late. */
  chunkForObject(): Chunk | undefined {
    const [reached, planned] = [this.reached('objects'), this.reached('planned object')];
    if (planned > reached) return this.chunkAfter(reached, planned);
    const chunk = this.chunkAfter(reached);
    if (chunk) this.setReached('planned object', chunk.last);
    return chunk;
  }

  /** Oldest first. */
  *after(seq: number): Generator<{ seq: number; entries: LogEntry[]; bytes: number }> {
    const rows = this.#sql.exec<{ seq: number; entries: string }>(
      'SELECT seq, entries FROM batches WHERE seq > ? ORDER BY seq',
      seq,
    );
    for (const { seq, entries } of rows) {
      yield { seq, entries: JSON.parse(entries), bytes: entries.length };
    }
  }

  chunkAfter(seq: number, until = Number.POSITIVE_INFINITY): Chunk | undefined {
    const entries: LogEntry[] = [];
    let [first, last, bytes] = [0, 0, 0];
    for (const batch of this.after(seq)) {
      if (batch.seq > until || (first > 0 && bytes + batch.bytes > maxChunkBytes)) break;
      first ||= batch.seq;
      last = batch.seq;
      bytes += batch.bytes;
      entries.push(...batch.entries);
    }
    return first > 0 ? { first, last, entries } : undefined;
  }

  /** Sequence numbers are never reused, because D1 remembers them. */
  #lastSeq(): number {
    const query = 'SELECT coalesce(max(seq), 0) AS seq FROM batches';
    const { seq } = this.#sql.exec<{ seq: number }>(query).one();
    return Math.max(seq, this.reached('rollups'), this.reached('objects'));
  }
}
