import type { D1Database, R2Bucket, SqlStorage } from '@cloudflare/workers-types';
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts';
import type { VisitorId } from '../platform/types.ts';
import { addTally, compileDays, lastSequence, segmentIds } from './rollup-table.ts';
import type { Count } from './rules/count.ts';
import { hashOf } from './rules/id-set.ts';
import {
  countsIn,
  entryId,
  entryTime,
  eventsIn,
  keysOf,
  type LogEntry,
  laterShowKeys,
  visitKeysOf,
} from './rules/log-entry.ts';
import type { StoredEvent } from './rules/stored-event.ts';
import { hourOf, type Tally, tallyOf } from './rules/tally.ts';
import { SeenIds } from './seen-ids.ts';
import { StoredObjects } from './stored-objects.ts';
import { type Chunk, WaitingBatches } from './waiting-batches.ts';

/** A report later than this is not counted, because it may have been counted before. */
const dedupRetentionMs = 8 * dayMs;
/** The bucket deletes objects after 90 days. */
const objectRetentionMs = 91 * dayMs;
/** An event that is uploaded again may get a time that differs by up to a minute. */
const clockSlackMs = 2 * minuteMs;
/** Ten minutes after an hour's end, most of its events have arrived. */
const compileDelayMs = 10 * minuteMs;
/** After this many chunks the call returns, so that the object can handle other calls. */
const maxChunks = 20;

export interface EventLogDependencies {
  sql: SqlStorage;
  db: D1Database;
  bucket: R2Bucket;
  shard: string;
  now(): number;
}

/** Stores entries until R2 and the rollups have them, and ids for eight days, so that nothing counts twice. */
export class EventLog {
  readonly #dependencies: EventLogDependencies;
  readonly #batches: WaitingBatches;
  readonly #seen: SeenIds;
  readonly #objects: StoredObjects;
  readonly #erased: Set<VisitorId>;
  readonly #segmentIds = new Map<string, number>();
  #compiledUntil = 0;

  constructor(dependencies: EventLogDependencies) {
    this.#dependencies = dependencies;
    this.#batches = new WaitingBatches(dependencies.sql);
    this.#seen = new SeenIds(dependencies.sql);
    this.#objects = new StoredObjects(dependencies.sql, dependencies.bucket);
    this.#erased = new Set(this.#objects.erasures());
    this.#rememberUncounted();
  }

  /** Stores all of them in one write. @returns how many reports came too late to be counted */
  append(events: readonly StoredEvent[], counts: readonly Count[]): number {
    const entries: LogEntry[] = [
      ...events.filter(({ visitor }) => !this.#erased.has(visitor)).map((event) => ({ event })),
      ...counts.map((count) => ({ count })),
    ];
    const oldest = this.#dependencies.now() - dedupRetentionMs;
    const recent = entries.filter((entry) => entryTime(entry) >= oldest);
    try {
      this.#batches.add(recent.filter((entry) => this.#rememberNew(entry)));
    } catch (error) {
      this.#seen.evict();
      this.#rememberUncounted();
      throw error;
    }
    return entries.length - recent.length;
  }

  /** Whether the visit showed the event's screen again, or started to pay there, within the time. */
  wasReloaded(event: StoredEvent, withinMs: number): boolean {
    for (const key of laterShowKeys(event, withinMs)) if (this.#seen.has(key)) return true;
    return false;
  }

  get isIdle(): boolean {
    return this.#batches.isEmpty && this.#objects.erasures(true).length === 0;
  }

  /** Adds new entries to the rollups. @throws when D1 is down; a later call resumes */
  async rollUp(): Promise<void> {
    const { db, shard } = this.#dependencies;
    const done = await lastSequence(db, shard);
    // After a crash D1 may have writes that are not recorded here.
    for (let from = this.#batches.reached('rollups'); from < done; ) {
      const chunk = this.#batches.chunkAfter(from, done);
      if (!chunk) break;
      this.#recordCounted(chunk);
      from = chunk.last;
    }
    for (let chunks = 0; chunks < maxChunks; chunks += 1) {
      const from = Math.max(done, this.#batches.reached('rollups'));
      const chunk = this.#batches.chunkAfter(from);
      if (!chunk) break;
      const tally = this.#tallyOf(chunk);
      await this.#nameSegments(tally);
      const range = { shard, from, to: chunk.last };
      const reached = await addTally(db, range, tally, (key) => this.#segmentIds.get(key) ?? 0);
      // An earlier call that seemed to have failed was executed late. The next call starts after it.
      if (reached !== chunk.last) throw new Error('a late write was first');
      this.#recordCounted(chunk);
    }
    await this.#compile();
    if (this.#batches.chunkAfter(this.#batches.reached('rollups'))) return;
    this.#seen.evict(hourOf(this.#dependencies.now() - hourMs));
  }

  /** Writes new entries to R2. @throws when R2 is down; a later call resumes */
  async store(): Promise<void> {
    for (let chunks = 0; chunks < maxChunks; chunks += 1) {
      const chunk = this.#batches.chunkForObject();
      if (!chunk) break;
      await this.#objects.write(eventsIn(chunk.entries), this.#dependencies.shard, chunk.first);
      this.#batches.setReached('objects', chunk.last);
    }
    // A busy shard always has waiting entries, but soon none of a visitor whose events it refuses.
    await this.#objects.erasePending((visitor) => !this.#batches.hasEventOf(visitor));
  }

  /** From now on the visitor's events are refused; `store` deletes those that are stored. */
  requestErasure(visitor: VisitorId): void {
    this.#objects.requestErasure(visitor, this.#dependencies.now());
    this.#erased.add(visitor);
  }

  /** Oldest first, each once. */
  async eventsOf(visitor: VisitorId): Promise<StoredEvent[]> {
    const waiting = [...this.#batches.after(this.#batches.reached('objects'))];
    const own = eventsIn(waiting.flatMap(({ entries }) => entries)).filter(
      (event) => event.visitor === visitor,
    );
    const all = [...(await this.#objects.eventsOf(visitor)), ...own];
    const byId = new Map(all.map((event) => [event.id, event]));
    return [...byId.values()].sort((a, b) => a.at - b.at);
  }

  /** Called after a restart or a failed write. */
  #rememberUncounted(): void {
    for (const { entries } of this.#batches.after(this.#batches.reached('rollups'))) {
      for (const entry of entries) this.#seen.add(keysOf(entry));
    }
  }

  #rememberNew(entry: LogEntry): boolean {
    const [hash, at] = [hashOf(entryId(entry)), entryTime(entry)];
    const hours = new Set([at, at - clockSlackMs, at + clockSlackMs].map(hourOf));
    for (const hour of hours) if (this.#seen.has([hour, hash])) return false;
    this.#seen.add(keysOf(entry));
    return true;
  }

  #tallyOf({ entries }: Chunk): Tally {
    const visits = new Set<string>();
    const counts = entries.flatMap(countsIn);
    return tallyOf(counts, (key, hour) => {
      const isNew = !visits.has(key) && !this.#seen.has([hour, hashOf(key)]);
      visits.add(key);
      return isNew;
    });
  }

  async #nameSegments({ segments }: Tally): Promise<void> {
    const unnamed = new Map([...segments].filter(([key]) => !this.#segmentIds.has(key)));
    if (unnamed.size === 0) return;
    for (const [key, id] of await segmentIds(this.#dependencies.db, unnamed))
      this.#segmentIds.set(key, id);
  }

  #recordCounted({ entries, last }: Chunk): void {
    const visits = entries.flatMap(visitKeysOf);
    this.#seen.add(visits);
    this.#seen.save([...entries.flatMap(keysOf), ...visits], last);
    this.#batches.setReached('rollups', last);
  }

  async #compile(): Promise<void> {
    const now = this.#dependencies.now();
    const until = hourOf(now - compileDelayMs);
    if (until <= this.#compiledUntil) return;
    await compileDays(this.#dependencies.db, until, now);
    this.#compiledUntil = until;
    this.#seen.delete(hourOf(now - dedupRetentionMs) - hourMs);
    this.#objects.forget(now - objectRetentionMs, now - dedupRetentionMs);
  }
}
