import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  countExposures,
  type Exposure,
  parseExposures,
} from '../../../worker/experiments/exposure-table.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = 20_000 * day;

const exposure = (change: Partial<Exposure> = {}): Exposure => ({
  id: crypto.randomUUID(),
  experiment: 'prices',
  arm: 'fullPrice',
  at: now,
  ...change,
});

async function countsOf(experiment: string) {
  const { results } = await env.DB.prepare(
    'SELECT arm, hour, visitors FROM exposure_counts WHERE experiment = ? ORDER BY arm, hour',
  )
    .bind(experiment)
    .all();
  return results;
}

test('exposure table: counts by experiment, arm and hour', async () => {
  const experiment = 'hours';
  const seen = [
    exposure({ experiment }),
    exposure({ experiment, at: now + hour - 1 }),
    exposure({ experiment, at: now + hour }),
    exposure({ experiment, arm: 'intro/7d' }),
    exposure({ experiment: 'another' }),
  ];
  await countExposures(env.DB, seen, now);
  expect(await countsOf(experiment)).toEqual([
    { arm: 'fullPrice', hour: now, visitors: 2 },
    { arm: 'fullPrice', hour: now + hour, visitors: 1 },
    { arm: 'intro/7d', hour: now, visitors: 1 },
  ]);
});

test('exposure table: a repeated message is counted once', async () => {
  const experiment = 'again';
  const batch = Array.from({ length: 100 }, () => exposure({ experiment }));
  await countExposures(env.DB, [...batch, ...batch.slice(0, 10)], now);
  await Promise.all([1, 2, 3].map(() => countExposures(env.DB, batch.slice(50), now + day)));
  expect(await countsOf(experiment)).toEqual([{ arm: 'fullPrice', hour: now, visitors: 100 }]);
});

test('exposure table: ids are deleted after three days, counts are kept', async () => {
  const experiment = 'old';
  const old = exposure({ experiment });
  await countExposures(env.DB, [old], now);
  const kept = () =>
    env.DB.prepare('SELECT 1 FROM exposure_dedup WHERE id = ?').bind(old.id).first();
  await countExposures(env.DB, [], now + 3 * day);
  expect(await kept()).not.toBeNull();
  await countExposures(env.DB, [], now + 3 * day + 1);
  expect(await kept()).toBeNull();
  expect(await countsOf(experiment)).toEqual([{ arm: 'fullPrice', hour: now, visitors: 1 }]);
});

test('exposure table: a batch is counted whole or not at all', async () => {
  const experiment = 'whole';
  const impossible = { ...exposure({ experiment }), arm: null as never };
  const batch = [exposure({ experiment }), impossible];
  await expect(countExposures(env.DB, batch, now)).rejects.toThrow();
  expect(await countsOf(experiment)).toEqual([]);
});

test('exposure table: malformed messages are dropped', () => {
  const good = exposure();
  const others = [null, 'text', {}, { ...good, id: 1 }, { ...good, id: 'x' }, { ...good, at: '1' }];
  expect(parseExposures([good, ...others])).toEqual([good]);
});
