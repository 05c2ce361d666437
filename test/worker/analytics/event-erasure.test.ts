import { env, runInDurableObject } from 'cloudflare:test';
import type { SqlStorage } from '@cloudflare/workers-types';
import { afterEach, expect, test } from 'vitest';
import { EventLog } from '../../../worker/analytics/event-log.ts';
import { getEvents } from '../../../worker/analytics/event-objects.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { intercepted } from '../faults/flaky-fetch.ts';
import { storedEvent } from './event-fixture.ts';
import { emptyRollups } from './reference-count.ts';

afterEach(() => emptyRollups(env.ANALYTICS));

const newEvent = (visitor = crypto.randomUUID() as VisitorId) => storedEvent({ visitor });

/** The visitors in the shard's objects, sorted. */
async function visitorsInObjects(shard: string): Promise<VisitorId[]> {
  const keys = (await env.EVENTS.list()).objects.map(({ key }: { key: string }) => key);
  const own = keys.filter((key: string) => key.includes(`/${shard}-`));
  const all = await Promise.all(own.map((key: string) => getEvents(env.EVENTS, key)));
  return all.flatMap((events: StoredEvent[]) => events.map(({ visitor }) => visitor)).sort();
}

/**
 * A shard at work, to which another visitor's events arrive during the calls to D1 and to R2.
 * @param erasedAt the call during which the visitor is erased; 0 is before the first
 */
async function busyShard(sql: SqlStorage, shard: string, hasStored: boolean, erasedAt: number) {
  const visitor = crypto.randomUUID() as VisitorId;
  const others: VisitorId[] = [];
  let calls = 0;
  const arrive = () => {
    const event = newEvent();
    others.push(event.visitor);
    log.append([event], []);
  };
  const erase = () => {
    log.requestErasure(visitor);
    log.append([newEvent(visitor)], []);
  };
  let isBusy = false;
  /** Else the shard would work for as many chunks as one alarm handles. */
  let arrivals = 0;
  const busy = <Binding extends object>(binding: Binding, makes?: string[]) =>
    intercepted(
      binding,
      async (call) => {
        if (!isBusy) return call();
        calls += 1;
        if (calls === erasedAt) erase();
        const result = await call();
        if (arrivals > 0) arrive();
        arrivals -= 1;
        return result;
      },
      makes,
    );
  const bindings = { db: busy(env.ANALYTICS), bucket: busy(env.EVENTS, []) };
  const log = new EventLog({ sql, ...bindings, shard, now: () => Date.now() });
  const work = async () => {
    arrivals = 2;
    await log.rollUp();
    arrivals = 2;
    await log.store();
  };
  arrive();
  if (hasStored) {
    log.append([newEvent(visitor)], []);
    await work();
  }
  log.append([newEvent(visitor)], []);
  isBusy = true;
  if (erasedAt === 0) erase();
  await work();
  const callsOfOneAlarm = calls;
  await work();
  isBusy = false;
  const waiting = await log.eventsOf(visitor);
  const batches = JSON.stringify(sql.exec('SELECT entries FROM batches').toArray());
  const inBatches = batches.includes(visitor);
  const inObjects = (await visitorsInObjects(shard)).includes(visitor);
  await work();
  expect(await visitorsInObjects(shard)).toEqual(others.sort());
  return { callsOfOneAlarm, left: { waiting, inBatches, inObjects } };
}

const clean = { waiting: [], inBatches: false, inObjects: false };

test.each([
  ['waiting events', false],
  ['waiting and stored events', true],
] as const)(
  'erasure: a visitor’s %s leave a shard that never rests with the next alarm but one, at whatever call the erasure is requested',
  async (_, hasStored) => {
    for (let erasedAt = 0, last = 0; erasedAt <= last; erasedAt += 1) {
      const shard = `erasure-${hasStored}-${erasedAt}`;
      const { callsOfOneAlarm, left } = await runInDurableObject(
        env.EVENT_SHARDS.getByName(shard),
        (_object: unknown, state: { storage: { sql: SqlStorage } }) =>
          busyShard(state.storage.sql, shard, hasStored, erasedAt),
      );
      last = callsOfOneAlarm;
      expect([erasedAt, left]).toEqual([erasedAt, clean]);
    }
  },
);
