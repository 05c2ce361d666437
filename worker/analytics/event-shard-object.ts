import { DurableObject } from 'cloudflare:workers';
import { withBindingTimeouts } from '../platform/binding-timeouts.ts';
import type { Env } from '../platform/env.ts';
import { logger, messageOf } from '../platform/log.ts';
import type { VisitorId } from '../platform/types.ts';
import { type CountInput, withCountDefaults } from './rules/count.ts';
import type { StoredEvent } from './rules/stored-event.ts';

const log = logger();

/** With the queue's five seconds, rollups are at most two minutes old. */
const writeIntervalMs = 60_000;

export class EventShard extends DurableObject<Env> {
  /** Loaded with the first shard, because pages do not need this code. */
  readonly #log = import('./event-log.ts').then(
    ({ EventLog }) =>
      new EventLog({
        sql: this.ctx.storage.sql,
        db: withBindingTimeouts(this.env).ANALYTICS,
        bucket: withBindingTimeouts(this.env).EVENTS,
        shard: this.ctx.id.name ?? '',
        now: () => Date.now(),
      }),
  );

  /** Idempotent by the ids of the events and counts. */
  async append(events: readonly StoredEvent[], counts: readonly CountInput[]): Promise<void> {
    const shard = await this.#log;
    const count = shard.append(events, counts.map(withCountDefaults));
    if (count > 0) log('warn', 'events_too_late', { count });
    if (!shard.isIdle) await this.#wakeWithin(writeIntervalMs);
  }

  async wereReloaded(events: readonly StoredEvent[], withinMs: number): Promise<boolean[]> {
    const shard = await this.#log;
    return events.map((event) => shard.wasReloaded(event, withinMs));
  }

  async requestErasure(visitor: VisitorId): Promise<void> {
    (await this.#log).requestErasure(visitor);
    await this.#wakeWithin(0);
  }

  async eventsOf(visitor: VisitorId): Promise<StoredEvent[]> {
    return (await this.#log).eventsOf(visitor);
  }

  /** Never throws: the platform gives up after a few retries of its own. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + writeIntervalMs);
    const shard = await this.#log;
    const isCounted = await this.#attempt('rollup_failed', () => shard.rollUp());
    const isStored = await this.#attempt('events_store_failed', () => shard.store());
    if (shard.isIdle) return this.ctx.storage.deleteAlarm();
    // More work than one alarm handles was waiting, or new entries arrived meanwhile.
    if (isCounted && isStored) await this.ctx.storage.setAlarm(Date.now() + writeIntervalMs / 10);
  }

  async #attempt(
    failed: 'rollup_failed' | 'events_store_failed',
    work: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log('warn', failed, { reason: messageOf(error) });
      return false;
    }
  }

  async #wakeWithin(ms: number): Promise<void> {
    const [at, due] = [Date.now() + ms, await this.ctx.storage.getAlarm()];
    if (due === null || due > at) await this.ctx.storage.setAlarm(at);
  }
}
