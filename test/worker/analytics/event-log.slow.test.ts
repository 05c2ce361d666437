import { env, runInDurableObject } from 'cloudflare:test';
import type { SqlStorage } from '@cloudflare/workers-types';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { consumeEvents } from '../../../worker/analytics/event-consumer.ts';
import { EventLog } from '../../../worker/analytics/event-log.ts';
import type { EventsMessage } from '../../../worker/analytics/event-messages.ts';
import { getEvents } from '../../../worker/analytics/event-objects.ts';
import type { Count } from '../../../worker/analytics/rules/count.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { seeded } from '../../seeded-random.ts';
import { intercepted } from '../faults/flaky-fetch.ts';
import { storedEvent } from './event-fixture.ts';
import { emptyRollups, referenceCount, storedRollups } from './reference-count.ts';

const hour = 3_600_000;
const start = 20_000 * 24 * hour;

type Draw = () => number;
const pick = <One>(draw: Draw, all: readonly One[]): One =>
  all[Math.floor(draw() * all.length)] as One;
const shuffled = <One>(draw: Draw, all: readonly One[]): One[] =>
  all
    .map((one) => ({ one, at: draw() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

const names = [
  'session_start',
  'screen__load',
  'screen__load',
  'button__continue',
  'subs_purchase_started',
  'web_vitals',
  'click',
];

/** A visitor's events, over two hours; some are days late. */
function visit(draw: Draw): StoredEvent[] {
  const visitor = crypto.randomUUID() as VisitorId;
  const session = crypto.randomUUID();
  const begin = start + draw() * 2 * hour - (draw() < 0.1 ? 3 * 24 * hour : 0);
  const country = pick(draw, ['US', 'DE']);
  const source = pick(draw, ['meta', '']);
  return Array.from({ length: 1 + Math.floor(draw() * 8) }, (_, at) => {
    const name = pick(draw, names);
    return storedEvent({
      id: crypto.randomUUID(),
      name,
      at: Math.floor(begin + at * draw() * 20 * 60_000),
      visitor,
      session,
      screen: pick(draw, ['one_pager', 'signup', 'made-up']),
      arm: pick(draw, ['fullPrice', 'intro/7d']),
      country,
      language: 'en',
      device: 'ios',
      source,
      version: pick(draw, ['v1', 'v2']),
      properties:
        name === 'web_vitals'
          ? { lcp: Math.round(draw() * 4000), cls: draw() / 5 }
          : name === 'button__continue'
            ? { seconds: Math.round(draw() * 60) }
            : {},
    });
  });
}

const slice = {
  flow: 'default',
  experiment: 'e',
  variant: 'fullPrice',
  country: 'US',
  language: 'en',
  device: 'ios',
  source: '',
  landing: 'one_pager',
};

function payment(draw: Draw): Count {
  const at = Math.floor(start + draw() * hour);
  const step = pick(draw, ['attempt', 'declined', 'capture', 'exposure']);
  const paid = {
    slot: 'main',
    plan: 'monthly_usd',
    currency: 'USD',
    reason: '',
    amount: 1799,
    squares: 1799 ** 2,
  };
  return {
    id: crypto.randomUUID(),
    at,
    reportedAt: at + Math.floor(draw() * 3 * hour),
    step,
    screen: '',
    bucket: 0,
    slice,
    version: '',
    provider: step === 'exposure' ? '' : 'stripe',
    ...(step === 'exposure' ? {} : { payment: paid }),
  };
}

/** Shuffles and repeats messages, and crashes at random awaits. */
async function deliverEverything(draw: Draw, sql: SqlStorage, shard: string) {
  const visits = Array.from({ length: 12 }, () => visit(draw));
  const payments = Array.from({ length: 12 }, () => payment(draw));
  const messages: object[] = [
    ...visits.map((events): EventsMessage => ({ sinks: ['store'], user: {}, events })),
    // The browser sends some again, together with others.
    ...visits.map((events): EventsMessage => {
      const some = events.filter(() => draw() < 0.5);
      return { sinks: ['store'], user: {}, events: some };
    }),
    ...payments.map((count) => ({ counts: [count] })),
  ];
  let rate = 0.08;
  const isHit = () => draw() < rate;
  const late: (() => unknown)[] = [];
  const killer = async (call: () => unknown) => {
    if (draw() < 0.5) for (const each of late.splice(0)) await each();
    if (isHit()) {
      // A call that seemed to fail is executed later.
      if (draw() < 0.3) late.push(call);
      throw new Error('killed before');
    }
    const result = await call();
    if (isHit()) throw new Error('killed after');
    return result;
  };
  let now = start + 2 * hour;
  const open = () =>
    new EventLog({
      sql,
      db: intercepted(env.ANALYTICS, killer),
      bucket: intercepted(env.EVENTS, killer, []),
      shard,
      now: () => now,
    });
  let log = open();
  const stub = {
    append: (events: StoredEvent[], counts: Count[]) =>
      killer(() => void log.append(events, counts)),
  };
  const shardEnv = { ...env, EVENT_SHARDS: { getByName: () => stub } } as unknown as Env;
  const write = async (work: () => Promise<void>) => {
    // After a crash the work restarts with the stored data.
    await work().catch((error: Error) => {
      if (!/killed|late write/.test(error.message)) throw error;
      log = open();
    });
  };
  const quiet = vi.fn();
  let waiting = shuffled(draw, [...messages, ...messages.filter(() => draw() < 0.4)]);
  while (waiting.length > 0) {
    const batch = waiting.slice(0, 1 + Math.floor(draw() * 8));
    const retried = await consumeEvents(batch, shardEnv, quiet);
    const again = batch.filter((body) => retried.includes(body) || isHit());
    waiting = shuffled(draw, [...waiting.slice(batch.length), ...again]);
    if (draw() < 0.3) await write(() => log.rollUp());
    if (draw() < 0.3) await write(() => log.store());
    if (draw() < 0.1) now += 40 * 60_000;
  }
  rate = 0;
  log = open();
  await log.rollUp();
  await log.store();
  expect(log.isIdle).toBe(true);
  return { events: visits.flat(), payments };
}

/** Also deletes them, because a list has a thousand keys at most. */
async function takeIdsInObjects(shard: string): Promise<string[]> {
  const { objects, truncated } = await env.EVENTS.list();
  expect(truncated).toBe(false);
  const own = objects.filter(({ key }: { key: string }) => key.includes(`/${shard}-`));
  const events = await Promise.all(
    own.map(({ key }: { key: string }) => getEvents(env.EVENTS, key)),
  );
  await env.EVENTS.delete(own.map(({ key }: { key: string }) => key));
  return events.flat().map(({ id }) => id);
}

const runs = env.FULL ? 1000 : 12;

test(`event log: ${runs} runs of shuffled, repeated and late messages with crashes at random awaits give the same counts as a direct count`, {
  timeout: 3_600_000,
}, async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      run += 1;
      const shard = `run${run}`;
      await emptyRollups(env.ANALYTICS);
      const stub = env.EVENT_SHARDS.getByName(shard);
      const sent = await runInDurableObject(stub, (_shard, { storage }) =>
        deliverEverything(seeded(seed), storage.sql as SqlStorage, shard),
      );
      const expected = referenceCount(sent.events, sent.payments);
      expect(await storedRollups(env.ANALYTICS)).toEqual(expected);
      expect((await takeIdsInObjects(shard)).sort()).toEqual(
        sent.events.map(({ id }) => id).sort(),
      );
    }),
    { numRuns: runs, endOnFailure: true },
  );
});
