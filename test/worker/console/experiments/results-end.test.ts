import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { resultsEnd } from '../../../../worker/console/experiments/results-end.ts';
import {
  newPublication,
  publishVersion,
  readVersions,
} from '../../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { readLive } from '../../../../worker/documents/live-documents.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { experimentDays, experimentFacts } from '../../../../worker/experiments/results-table.ts';
import { arm, configText, texts } from '../../../scripts/config/command-context.ts';

const kv = namespaceKv(env.FUNNEL);
const at = (text: string) => Date.parse(`${text}Z`);

beforeEach(async () => {
  for (const key of await kv.list('')) await env.FUNNEL.delete(key.name);
});

async function publish(time: string, weight: number, change: object = {}): Promise<void> {
  const next = texts(configText([arm('a', weight), arm('b', 100 - weight)], change));
  const by = { who: 'ann', now: new Date(at(time)) };
  const live = await readLive(kv, configSet);
  await publishVersion(kv, newPublication(configSet, next, live, by));
}

const endAt = async (now: string) =>
  (await resultsEnd(kv, await readLive(kv, configSet), await readVersions(kv, configSet), at(now)))
    ?.at;

test('experiment end: an experiment ends before the hour in which one variant first gets all visitors, whatever is published later', async () => {
  await publish('2026-11-01T00:00', 60);
  expect(await endAt('2026-11-20T00:00')).toBeUndefined();
  await publish('2026-11-10T09:20', 100);
  await publish('2026-11-12T09:20', 100, { coupons: {} });
  expect(await endAt('2026-11-20T00:00')).toBe(at('2026-11-10T09:00'));
  expect(await endAt('2026-12-20T00:00')).toBe(at('2026-11-10T00:00'));
  await publish('2026-11-13T09:20', 50, { experiment: 'other' });
  await publish('2026-11-14T09:20', 100);
  expect(await endAt('2026-11-20T00:00')).toBe(at('2026-11-10T09:00'));
  await publish('2026-11-15T09:20', 50);
  expect(await endAt('2026-11-20T00:00')).toBeUndefined();
});

test('experiment end: settings that were changed by hand afterwards keep it; a test that was ended by hand has none', async () => {
  const byHand = texts(configText([arm('a', 100), arm('b', 0)], { coupons: {} }));
  await publish('2026-11-01T00:00', 60);
  await env.FUNNEL.put('config.json', byHand['config.json'] ?? '');
  expect(await endAt('2026-11-20T00:00')).toBeUndefined();
  await env.FUNNEL.delete('config.json');
  await publish('2026-11-10T09:20', 100);
  await env.FUNNEL.put('config.json', byHand['config.json'] ?? '');
  expect(await endAt('2026-11-20T00:00')).toBe(at('2026-11-10T09:00'));
});

test('experiment end: an experiment that never compared variants, or has no versions, has no end', async () => {
  expect(await endAt('2026-11-20T00:00')).toBeUndefined();
  await publish('2026-11-01T00:00', 100, { experiment: 'other' });
  await publish('2026-11-02T00:00', 100);
  expect(await endAt('2026-11-20T00:00')).toBeUndefined();
});

const hour = 60 * 60_000;
const day = 24 * hour;

/** One visit and purchase per hour; `days` has those before `compiled`, as after compaction. */
async function insertVisits(hours: readonly number[], compiled: number): Promise<void> {
  const run = (sql: string) => env.ANALYTICS.prepare(sql).run();
  for (const table of ['slices', 'hours', 'days', 'payments']) await run(`DELETE FROM ${table}`);
  await run("INSERT INTO slices VALUES (1, 'default', 'e', 'a', 'US', 'en', 'ios', '', '')");
  for (const time of hours) {
    await run(`INSERT INTO hours VALUES (${time}, 'exposure', '', 0, 1, 1, 1)`);
    await run(
      `INSERT INTO payments VALUES (${time}, 'purchase', 'stripe', 'main', '', 'USD', '', 1, 1, 0, 0)`,
    );
  }
  await run(
    `INSERT INTO days SELECT hour - hour % ${day}, step, screen, bucket, slice_id, sum(events), sum(visits)
     FROM hours WHERE hour < ${compiled} GROUP BY 1, 2, 3, 4, 5`,
  );
  await run(`UPDATE compiled SET until = ${compiled}`);
}

test.each([
  ['one hour of its day compiled', 20_000 * day + hour],
  ['all of its day compiled', 20_001 * day + hour],
])(
  'experiment end: visits and payments after the end are not counted, with %s',
  async (_in, compiled) => {
    const first = 20_000 * day;
    await insertVisits([first, first + hour, first + 2 * hour, first + day], compiled);
    const visitorsUntil = async (until?: number) => {
      const [facts] = await experimentFacts(env.ANALYTICS, 'e', until);
      const days = await experimentDays(env.ANALYTICS, 'e', until);
      const sum = days.reduce((all, { visitors, purchases }) => all + visitors + purchases, 0);
      expect(sum).toBe((facts?.visitors ?? 0) + (facts?.purchases ?? 0));
      return [facts?.visitors ?? 0, facts?.purchases ?? 0];
    };
    expect(await visitorsUntil()).toEqual([4, 4]);
    expect(await visitorsUntil(first + 2 * hour)).toEqual([2, 2]);
    expect(await visitorsUntil(first + day)).toEqual([3, 3]);
  },
);
