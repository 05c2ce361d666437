import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { countShard } from '../../../worker/analytics/report-counts.ts';
import { eventShards } from '../../../worker/analytics/rules/shards.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';

/** Makes every shard write its pending entries to the rollups and to R2. */
export async function writeRollups(): Promise<void> {
  for (const shard of [...eventShards, countShard]) {
    await runDurableObjectAlarm(env.EVENT_SHARDS.getByName(shard));
  }
}

/** Counts of a step by variant. */
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
