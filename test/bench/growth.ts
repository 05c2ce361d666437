import type { R2Bucket } from '@cloudflare/workers-types';
import { putEvents } from '../../worker/analytics/event-objects.ts';
import { IdSet } from '../../worker/analytics/rules/id-set.ts';
import { countsIn, keysOf, visitKeysOf } from '../../worker/analytics/rules/log-entry.ts';
import { tallyOf } from '../../worker/analytics/rules/tally.ts';
import { posts } from './edge/posts.ts';
import { generateEvents, growthOf } from './rollup-rows.ts';

const levels = [1, 4, 16, 64];
/** Bytes of a row of `hours` or `days`, measured with a million rows. */
const rowBytes = 46;
const retentionDays = 22;

/** Microseconds of CPU per event in a shard: new or repeated, counted, packed. */
async function cpuOfEvent(): Promise<number> {
  const events = generateEvents(8000).map((event) => ({ ...event, id: crypto.randomUUID() }));
  const bucket = { put: async () => null } as unknown as R2Bucket;
  const run = async () => {
    const entries = JSON.parse(JSON.stringify(events.map((event) => ({ event }))));
    const seen = new IdSet();
    for (const entry of entries) for (const [, hash] of keysOf(entry)) seen.add(hash);
    for (const entry of entries) for (const [, hash] of visitKeysOf(entry)) seen.add(hash);
    tallyOf(entries.flatMap(countsIn), () => true);
    await putEvents(bucket, 'key', events);
  };
  await run();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / events.length;
}

/** Data that grows with visits, and its bounds; `worker/operators/costs.md` explains. */
export async function benchGrowth() {
  const months = Object.fromEntries(
    [1, 10, 100, 1000].map((millions) => {
      const { rollupRows, hourRowsAMonth, appends, objects } = growthOf(millions);
      return [
        `${millions} million visits`,
        {
          'rollup rows written, millions': Math.round(rollupRows / 1e6),
          'hours, GB': (hourRowsAMonth * (retentionDays / 30) * rowBytes) / 1e9,
          'calls of shards a second': appends / (30 * 24 * 3600),
          'R2 objects, thousands': Math.round(objects / 1000),
        },
      ];
    }),
  );
  console.table(months);
  const cpu = { 'CPU µs an event, in a shard': Math.round(await cpuOfEvent()) };
  console.table(cpu);
  const buyers = await posts(200, levels);
  console.table(buyers);
  return { months, cpu, buyers };
}
