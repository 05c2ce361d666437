import { env, runInDurableObject } from 'cloudflare:test';
import type { SqlStorage } from '@cloudflare/workers-types';
import { afterEach, expect, test } from 'vitest';
import { EventLog } from '../../../worker/analytics/event-log.ts';
import { intercepted } from '../faults/flaky-fetch.ts';
import { storedEvent } from './event-fixture.ts';
import { emptyRollups } from './reference-count.ts';

afterEach(() => emptyRollups(env.ANALYTICS));

const shard = 'overtaken';

test.each(['rollUp', 'store'] as const)(
  'event log: a %s whose answer comes after that of a later one stops no entry',
  async (step) => {
    const work = async (_object: unknown, { storage }: { storage: { sql: SqlStorage } }) => {
      const answer = Promise.withResolvers<void>();
      let isFirst = true;
      const late = async (call: () => unknown) => {
        const isHeld = isFirst;
        isFirst = false;
        const result = await call();
        if (isHeld) await answer.promise;
        return result;
      };
      const log = new EventLog({
        sql: storage.sql,
        db: step === 'rollUp' ? intercepted(env.ANALYTICS, late) : env.ANALYTICS,
        bucket: step === 'store' ? intercepted(env.EVENTS, late, []) : env.EVENTS,
        shard: `${shard}-${step}`,
        now: () => Date.now(),
      });
      const finish = async () => {
        await log.rollUp();
        await log.store();
      };
      log.append([storedEvent({})], []);
      const overtaken = log[step]();
      await finish();
      log.append([storedEvent({})], []);
      await finish();
      answer.resolve();
      await overtaken;
      log.append([storedEvent({})], []);
      await finish();
      return log.isIdle;
    };
    const stub = env.EVENT_SHARDS.getByName(`${shard}-${step}`);
    expect(await runInDurableObject(stub, work)).toBe(true);
  },
);
