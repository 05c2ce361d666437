import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { addTally, compileDays, segmentIds } from '../../../worker/analytics/rollup-table.ts';
import { armCounts } from '../../../worker/analytics/rules/arm-counts.ts';
import { type CountInput, withCountDefaults } from '../../../worker/analytics/rules/count.ts';
import { tallyOf } from '../../../worker/analytics/rules/tally.ts';
import { cohortRows } from '../../../worker/console/experiments/rules/cohort-rows.ts';
import { cohortFacts } from '../../../worker/experiments/results-table.ts';
import { dayMs, hourMs } from '../../../worker/platform/durations.ts';
import { emptyRollups } from '../analytics/reference-count.ts';

const db = env.ANALYTICS;
const now = Date.UTC(2026, 11, 1) + 9 * hourMs;
const before = (days: number) => now - days * dayMs;

const arms = [{ experiment: 'e', variant: 'b' }];
const exposure = (days: number): CountInput => ({
  id: `x${days}`,
  at: before(days),
  step: 'exposure',
  slice: {},
});
const paid = (days: number, reason: string, amount: number, currency = 'USD'): CountInput => ({
  id: `p${days}${reason}`,
  at: before(days),
  step: 'cohort',
  slice: {},
  payment: { ...{ slot: 'main', plan: 'monthly', currency, reason }, amount, squares: amount ** 2 },
});

async function write(counts: readonly CountInput[]) {
  const all = counts.flatMap((count) => armCounts(count, arms));
  const tally = tallyOf(all.map(withCountDefaults), () => true);
  const ids = await segmentIds(db, tally.segments);
  await addTally(db, { shard: 's', from: 0, to: 1 }, tally, (key) => ids.get(key) ?? 0);
  await compileDays(db, before(1), now);
}

beforeEach(async () => {
  await emptyRollups(db);
  await db.prepare('DELETE FROM slices').run();
});

test('cohorts: the first days of visitors who are old enough, net of refunds', async () => {
  await write([
    ...[2, 8, 20, 40, 100].map(exposure),
    paid(2, 'd7', 100),
    paid(8, 'd7', 1000),
    paid(20, 'd7', 2000),
    paid(20, 'd30', -500),
    paid(40, 'd30', 300),
    paid(100, 'd90', 40),
  ]);
  const found = await cohortFacts(db, 'e', now);
  expect(
    found.map(({ days, arms: [own] }) => [days, own?.visitors, own?.revenue, own?.squares]),
  ).toEqual([
    [7, 4, { USD: 3000 }, { USD: 1000 ** 2 + 2000 ** 2 }],
    [30, 2, { USD: 300 }, { USD: 300 ** 2 }],
    [90, 1, { USD: 40 }, { USD: 1600 }],
  ]);
  expect(cohortRows(found, ['a', 'b'], null)).toEqual([
    { days: 7, currency: 'USD', cells: [null, { perVisitor: 750, visitors: 4 }] },
    { days: 30, currency: 'USD', cells: [null, { perVisitor: 150, visitors: 2 }] },
    { days: 90, currency: 'USD', cells: [null, { perVisitor: 40, visitors: 1 }] },
  ]);
});

test('cohorts: nobody is old enough, or money has no common currency: no row', async () => {
  await write([exposure(2), paid(2, 'd7', 100)]);
  expect(cohortRows(await cohortFacts(db, 'e', now), ['b'], null)).toEqual([]);
  await emptyRollups(db);
  await db.prepare('DELETE FROM slices').run();
  await write([exposure(8), paid(8, 'd7', 100), paid(9, 'd7', 100, 'EUR')]);
  expect(cohortRows(await cohortFacts(db, 'e', now), ['b'], null)).toEqual([]);
});
