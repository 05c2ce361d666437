import { env, runInDurableObject } from 'cloudflare:test';
import type { DurableObjectState, MessageBatch, R2Bucket } from '@cloudflare/workers-types';
import { afterEach, expect, test, vi } from 'vitest';
import { getEvents } from '../../../worker/analytics/event-objects.ts';
import { EventShard } from '../../../worker/analytics/event-shard-object.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { queue } from '../../../worker/queues.ts';
import { seeded } from '../../seeded-random.ts';
import { intercepted } from '../faults/flaky-fetch.ts';
import { storedEvent } from './event-fixture.ts';
import { emptyRollups, referenceCount, storedRollups } from './reference-count.ts';

afterEach(() => emptyRollups(env.ANALYTICS));

const minuteMs = 60_000;
const outageMs = 60 * minuteMs;
const stepMs = 30_000;
const start = Date.UTC(2026, 10, 23, 12);
const shard = 'r2-outage';

interface Message {
  body: object;
  attempts: number;
  dueAt: number;
}

/** Delivers a message again, after the delay that its consumer requested. */
function eventQueue(consumerEnv: Env) {
  let waiting: Message[] = [];
  return {
    waiting: () => waiting.length,
    send: (body: object) => void waiting.push({ body, attempts: 1, dueAt: Date.now() }),
    async deliver(): Promise<number> {
      const due = waiting.filter(({ dueAt }) => dueAt <= Date.now());
      waiting = waiting.filter(({ dueAt }) => dueAt > Date.now());
      const messages = due.map((one) => ({
        ...one,
        ack() {},
        retry({ delaySeconds = 0 }) {
          const dueAt = Date.now() + delaySeconds * 1000;
          waiting.push({ ...one, attempts: one.attempts + 1, dueAt });
        },
      }));
      const batch = { queue: 'funnel-events', messages, ackAll() {} };
      if (due.length > 0) await queue(batch as unknown as MessageBatch, consumerEnv);
      return due.filter(({ attempts }) => attempts > 1).length;
    },
  };
}

/** A visitor's events of the last minute. */
const visit = (draw: () => number): StoredEvent[] => {
  const [visitor, session] = [crypto.randomUUID() as VisitorId, crypto.randomUUID()];
  const names = ['screen__load', 'button__continue', 'session_start', 'click'];
  return Array.from({ length: 1 + Math.floor(draw() * 5) }, () => {
    const name = names[Math.floor(draw() * names.length)] ?? 'click';
    const at = Date.now() - Math.floor(draw() * minuteMs);
    return storedEvent({ name, visitor, session, at, screen: 'signup', properties: {} });
  });
};

/** The shard's object on its own storage, with its alarm controlled by the test. */
function openShard(state: DurableObjectState, bucket: R2Bucket) {
  let alarm: number | null = null;
  const set = async (at: number | null) => {
    alarm = at;
  };
  const storage = {
    sql: state.storage.sql,
    getAlarm: async () => alarm,
    setAlarm: set,
    deleteAlarm: () => set(null),
  };
  const make = () => {
    const eventShard = new EventShard(state as never, { ...env, EVENTS: bucket } as unknown as Env);
    Object.defineProperty(eventShard, 'ctx', { value: { id: state.id, storage } });
    return eventShard;
  };
  let object = make();
  return {
    object: () => object,
    /** The memory is lost, but the storage and the alarm stay. */
    restart() {
      object = make();
    },
    hasNoAlarm: () => alarm === null,
    async runAlarmIfDue() {
      if (alarm !== null && alarm <= Date.now()) await object.alarm();
    },
  };
}

const total = ({ fives = {} }: ReturnType<typeof referenceCount>) =>
  Object.values(fives).reduce((sum, [count = 0]) => sum + count, 0);

async function storedIds(): Promise<string[]> {
  const { objects, truncated } = await env.EVENTS.list();
  expect(truncated).toBe(false);
  const own = objects.filter(({ key }: { key: string }) => key.includes(`/${shard}-`));
  const events = await Promise.all(
    own.map(({ key }: { key: string }) => getEvents(env.EVENTS, key)),
  );
  return events.flat().map(({ id }) => id);
}

test('event log: with R2 down for an hour, and the queue delivering again, every event is stored and counted once', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await emptyRollups(env.ANALYTICS);
  const draw = seeded(20);
  const [sent, failures]: [StoredEvent[], Record<string, number>] = [[], {}];
  const fail = (how: string): never => {
    failures[how] = (failures[how] ?? 0) + 1;
    throw new Error(how);
  };
  const isDown = () => Date.now() < start + outageMs;
  const bucket = intercepted(env.EVENTS, async (call) => {
    if (!isDown()) return call();
    if (draw() < 0.3) await call();
    return fail('R2 is down');
  });
  await runInDurableObject(env.EVENT_SHARDS.getByName(shard), async (_, state) => {
    const opened = openShard(state as never, bucket);
    const stub = {
      async append(...[events, counts]: Parameters<EventShard['append']>) {
        if (draw() < 0.2) fail('the shard did not hear it');
        await opened.object().append(events, counts);
        if (draw() < 0.2) fail('the shard took it, and nobody knows');
      },
    };
    const EVENT_SHARDS = { getByName: () => stub };
    const messages = eventQueue({ ...env, EVENT_SHARDS } as unknown as Env);
    let redelivered = 0;
    const step = async () => {
      vi.setSystemTime(Date.now() + stepMs);
      redelivered += await messages.deliver();
      if (draw() < 0.05) opened.restart();
      await opened.runAlarmIfDue();
    };
    while (isDown()) {
      for (let visitors = 0; visitors < 3; visitors += 1) {
        const events = visit(draw);
        const body = { sinks: ['store'], user: {}, events };
        sent.push(...events);
        messages.send(body);
        // The browser got no response, and sends it again.
        if (draw() < 0.2) messages.send(structuredClone(body));
      }
      await step();
    }
    // Rollups do not wait for R2.
    const soFar = total(await storedRollups(env.ANALYTICS));
    expect(soFar).toBeGreaterThan(total(referenceCount(sent, [])) / 2);
    for (let steps = 0; messages.waiting() > 0 || !opened.hasNoAlarm(); steps += 1) {
      expect(steps).toBeLessThan(500);
      await step();
    }
    expect(redelivered).toBeGreaterThan(50);
  });
  expect(failures['R2 is down']).toBeGreaterThan(50);
  expect((await storedIds()).sort()).toEqual(sent.map(({ id }) => id).sort());
  expect(await storedRollups(env.ANALYTICS)).toEqual(referenceCount(sent, []));
});
