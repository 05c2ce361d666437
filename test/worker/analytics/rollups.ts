import { env, runInDurableObject } from 'cloudflare:test';
import type { DurableObjectState } from '@cloudflare/workers-types';
import { expect, vi } from 'vitest';
import type { EventShard } from '../../../worker/analytics/event-shard-object.ts';
import { countShard } from '../../../worker/analytics/report-counts.ts';
import { eventShards } from '../../../worker/analytics/rules/shards.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';

const unfinished = `SELECT 'batch ' || seq || ': ' || substr(entries, 1, 300) AS what FROM batches
  UNION SELECT 'erasure' FROM erasures WHERE is_done = 0`;

/**
 * Runs the shard's alarm until its entries are written and its erasures done. Once may not be enough: an erasure also
 * wakes the shard at once, and the two runs then share the work.
 */
async function finishShard(shard: string): Promise<void> {
  const stub = env.EVENT_SHARDS.getByName(shard);
  const finish = async (object: EventShard, { storage }: DurableObjectState) => {
    // Waits for the tables.
    await object.append([], []);
    const left = () => storage.sql.exec(unfinished).toArray();
    if (left().length > 0) await object.alarm();
    return left().length > 0
      ? [shard, ...left(), ...(vi.mocked(console.warn).mock.lastCall ?? [])]
      : [];
  };
  await vi.waitFor(
    async () => expect(await runInDurableObject(stub, finish)).toEqual([]),
    pollTimeout,
  );
}

/** Makes every shard write its pending entries to the rollups and to R2. */
export async function writeRollups(): Promise<void> {
  for (const shard of [...eventShards, countShard]) await finishShard(shard);
}
export async function countsOf(step: string, experiment = ''): Promise<Record<string, number>> {
  await writeRollups();
  const { results } = await env.ANALYTICS.prepare(
    `SELECT variant, sum(events) AS n FROM hours JOIN slices ON slices.id = slice_id
     WHERE step = ? AND experiment = ? GROUP BY variant`,
  )
    .bind(step, experiment)
    .all<{ variant: string; n: number }>();
  return Object.fromEntries(
    results.map(({ variant, n }: { variant: string; n: number }) => [variant, n]),
  );
}

/** The visitor's events in all shards. */
export async function eventsOf(visitor: VisitorId) {
  const all = eventShards.map((shard) => env.EVENT_SHARDS.getByName(shard).eventsOf(visitor));
  return (await Promise.all(all)).flat();
}
