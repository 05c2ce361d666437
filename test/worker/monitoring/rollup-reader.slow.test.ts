import {
  createExecutionContext,
  env,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import worker from '../../../worker/index.ts';
import { readRollups } from '../../../worker/monitoring/rollup-reader.ts';
import type { SeriesCounts } from '../../../worker/monitoring/rules/counts.ts';
import { stubGateways } from '../payments/payments-fixture.ts';

const hourMs = 60 * 60_000;
const hour = Math.floor(Date.UTC(2026, 8, 3, 12) / hourMs);
const buckets = Array.from({ length: 24 }, (_, at) => `b${at}`);

const run = (sql: string, ...values: unknown[]) =>
  env.ANALYTICS.prepare(sql)
    .bind(...values)
    .run();

async function insertStep(at: number, step: string, slice: number, events: number) {
  await run(
    'INSERT INTO hours VALUES (?, ?, ?, 0, ?, ?, ?)',
    at * hourMs,
    step,
    's',
    slice,
    events,
    1,
  );
}

beforeEach(async () => {
  for (const table of ['slices', 'hours', 'five_minutes', 'vitals'])
    await run(`DELETE FROM ${table}`);
  const slice = "INSERT INTO slices VALUES (?, ?, ?, ?, ?, ?, ?, ?, '')";
  await run(slice, 1, 'default', 'prices', 'base', 'US', 'en', 'ios', '');
  await run(slice, 2, 'default', 'prices', 'trial', 'DE', 'de', 'android', 'meta');
});

test('rollups: steps by country and device, exposures, payments and web vitals become time series', async () => {
  await insertStep(hour, 'onboarding_start', 1, 10);
  await insertStep(hour, 'onboarding_start', 2, 4);
  await insertStep(hour, 'exposure', 2, 3);
  await insertStep(hour, 'click', 1, 99);
  await insertStep(hour - 1, 'lead', 1, 2);
  await insertStep(hour - 9, 'lead', 1, 50);
  const payment = 'INSERT INTO five_minutes VALUES (?, ?, ?, ?, ?, ?)';
  await run(payment, hour * hourMs, 'purchase', 'stripe', 'US', 'v1', 5);
  await run(payment, hour * hourMs + 300_000, 'declined', 'stripe', 'US', 'v2', 2);
  await run(payment, hour * hourMs, 'challenge_failed', 'braintree', 'DE', 'v1', 1);
  await run(payment, hour * hourMs, 'refund', 'stripe', '', 'v1', 1);
  await run(payment, hour * hourMs, 'lead', '', '', 'v1', 7);
  await run(
    `INSERT INTO vitals (hour, metric, screen, device, version, ${buckets.join(', ')})
     VALUES (?, 'lcp', 's', 'ios', 'v1', ${buckets.map((_, at) => at).join(', ')})`,
    hour * hourMs,
  );
  const totals = await readRollups(env.ANALYTICS, [hour, hour - 1]);
  expect(totals[hour - 1]).toEqual({
    'step|signup': 2,
    'step|signup|country|US': 2,
    'step|signup|device|ios': 2,
  });
  expect(totals[hour]).toMatchObject({
    'step|visit': 14,
    'step|visit|country|DE': 4,
    'step|visit|device|ios': 10,
    'exposure|prices|trial': 3,
    'attempt|stripe|decided': 7,
    'attempt|stripe|decided|US': 7,
    'attempt|stripe|declined': 2,
    'attempt|braintree|unverified|DE': 1,
    'ledger|stripe|refund': 1,
    'vitals|lcp|7': 7,
  });
  expect(Object.keys(totals[hour] ?? {}).join()).not.toMatch(/click|undefined/);
});

test('rollups: the cron handler learns from past weeks, then counts the growth of the rollups', async () => {
  stubGateways();
  const minute = hour * 60 + 10;
  const tick = async (at: number) => {
    vi.setSystemTime(at * 60_000);
    const context = createExecutionContext();
    await worker.scheduled({ scheduledTime: at * 60_000 }, env, context as never);
    await waitOnExecutionContext(context);
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  const monitor = env.MONITOR.getByName('monitor');
  const unknown = async () => (await monitor.unknownHours(minute, 1000)).length;
  const before = await unknown();
  await tick(minute);
  await tick(minute + 1);
  expect([before, await unknown()]).toEqual([4 * 7 * 24, 4 * 7 * 24 - 48]);
  await insertStep(hour, 'onboarding_start', 1, 30);
  await tick(minute + 2);
  const counted = await runInDurableObject(monitor, (_, state) =>
    [...state.storage.kv.list<SeriesCounts>({ prefix: 'minute:' })].reduce(
      (sum, [, tally]) => sum + (tally['step|visit'] ?? 0),
      0,
    ),
  );
  expect(counted).toBe(30);
  const { checks, watchedAt } = await monitor.state();
  expect(watchedAt).toBe((minute + 2) * 60_000);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

test('rollups: with ANALYTICS down the synthetic walk and the counters continue', async () => {
  stubGateways();
  const down = {
    prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error('D1')) }) }),
  };
  const context = createExecutionContext();
  const scheduledTime = Date.now() + 60_000;
  await worker.scheduled({ scheduledTime }, { ...env, ANALYTICS: down as never }, context as never);
  await waitOnExecutionContext(context);
  const { watchedAt, checks } = await env.MONITOR.getByName('monitor').state();
  expect(watchedAt).toBe(Math.floor(scheduledTime / 60_000) * 60_000);
  expect(checks.length).toBeGreaterThan(0);
});
