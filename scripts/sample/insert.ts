import { setTimeout as wait } from 'node:timers/promises';
import type { D1Database, KVNamespace } from '@cloudflare/workers-types';
import { addTally, compileDays, segmentIds } from '../../worker/analytics/rollup-table.ts';
import { tallyOf } from '../../worker/analytics/rules/tally.ts';
import { type SampleNote, sampleKey } from '../../worker/console/parts/rules/sample.ts';
import { newPublication, publishVersion } from '../../worker/documents/document-store.ts';
import { namespaceKv } from '../../worker/documents/kv.ts';
import { readLive } from '../../worker/documents/live-documents.ts';
import { manifestKey, readManifest } from '../../worker/documents/manifest.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { dayMs } from '../../worker/platform/durations.ts';
import { textIn } from '../../worker/platform/read-json.ts';
import { sampleCounts } from './counts.ts';
import { emailOf, peopleRows, type SampleRows } from './people.ts';
import { type SampleVisit, sampleDays, sampleExperiments, sampleVisits } from './visits.ts';

export interface SampleStores {
  kv: KVNamespace;
  db: D1Database;
  analytics: D1Database;
}

const hourMs = 60 * 60_000;
const shard = 'sample';
const sampleAuthor = 'sample data';

const introOffer = {
  plans: ['monthly_7d', 'quarterly'],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};

const reportingAt = (day: number) => ({
  currency: 'USD',
  date: new Date(day).toISOString().slice(0, 10),
  rates: { EUR: 1.1 },
});

/** The sample starts at midnight, UTC. */
export const firstDay = (now: number): number => now - (now % dayMs) - (sampleDays - 1) * dayMs;

/** The runtime closes idle connections after 15 s. Node notices that only while it is not blocked. */
const waitForClosedConnections = () => wait(10);

async function insertCounts(
  analytics: D1Database,
  visits: readonly SampleVisit[],
  { from, until }: { from: number; until: number },
): Promise<void> {
  const all = visits.flatMap(sampleCounts).filter(({ at }) => at >= from && at < until);
  const days = Map.groupBy(all, ({ at }) => at - (at % dayMs));
  const tallies = [...days].map(([day, counts]) => ({ day, tally: tallyOf(counts, () => true) }));
  await waitForClosedConnections();
  const ids = await segmentIds(
    analytics,
    new Map(tallies.flatMap(({ tally }) => [...tally.segments])),
  );
  for (const { day, tally } of tallies) {
    // Alarms read the five-minute rows, and a sample must not raise any.
    const rows = { ...tally, fiveMinutes: [] };
    const written = { shard: `${shard} ${day} ${from}`, from: 0, to: 1 };
    await addTally(analytics, written, rows, (slice) => ids.get(slice) ?? 0);
  }
  await compileDays(analytics, until - (until % hourMs), until);
}

/** Existing rows are kept, except for columns that change daily. */
async function insertPeople(db: D1Database, rows: Partial<SampleRows>): Promise<void> {
  for (const [table, all] of Object.entries(rows)) {
    const [first] = all;
    if (!first) continue;
    const names = Object.keys(first);
    const values = names.map((_, at) => `value ->> ${at}`).join(', ');
    const json = JSON.stringify(all.map((row) => names.map((name) => row[name])));
    await db
      .prepare(
        `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) SELECT ${values} FROM json_each(?)`,
      )
      .bind(json)
      .run();
  }
}

/** Paused, so that local pages look as without a sample. Keeps an experiment that somebody else published. */
async function publishExperiments(
  { kv, db }: Pick<SampleStores, 'kv' | 'db'>,
  first: number,
  end: number,
): Promise<void> {
  const store = namespaceKv(kv);
  const live = await readLive(store, configSet);
  const texts = [live.documents['config.json'], builtInDocuments['config.json']];
  if (texts[0] && texts[0] !== texts[1]) return;
  const { landing, paywall } = sampleExperiments;
  const paused = paywall.variants.map((each, at) => ({ ...each, weight: at === 0 ? 100 : 0 }));
  const published = [
    [landing, first, 'Sample: which landing page brings more buyers'],
    [paywall, first + (sampleDays * dayMs) / 2, 'Sample: whether a cheap first week earns more'],
    [{ ...paywall, variants: paused }, end, 'Sample: ended without a winner'],
  ] as const;
  for (const [{ name, variants }, at, reason] of published) {
    const builtIn = JSON.parse(builtInDocuments['config.json']);
    const offers = { ...builtIn.offers, 'intro/7d': introOffer };
    const config = {
      ...builtIn,
      experiment: name,
      variants,
      offers,
      reporting: reportingAt(first),
    };
    const next = { ...builtInDocuments, 'config.json': JSON.stringify(config, null, 2) };
    const before = await readLive(store, configSet);
    const by = { who: sampleAuthor, now: new Date(at) };
    const publication = newPublication(configSet, next, before, by);
    await publishVersion(store, publication);
    const row = {
      id: `sample-publication-${at}`,
      operator: 'sample@example.com',
      action: 'publish',
      target: configSet.name,
      details: JSON.stringify({ differences: configSet.differences(before.documents, next) }),
      reason,
      started_at: at,
      result: `published ${publication.release.version}`,
    };
    await insertPeople(db, { audit: [row] });
  }
}

/** Inserts the missing part of the sample until now. */
export async function insertSample(
  { kv, db, analytics }: SampleStores,
  now: number,
): Promise<SampleNote> {
  const note = await kv.get<SampleNote>(sampleKey, 'json');
  const first = note?.first ?? firstDay(now);
  const visits = sampleVisits(first, now).filter(({ at }) => at < now);
  await insertCounts(analytics, visits, { from: note?.until ?? first, until: now });
  const people = peopleRows(visits, now);
  await waitForClosedConnections();
  await insertPeople(db, people);
  if (!note) await publishExperiments({ kv, db }, first, now);
  const buyer = visits.findLast(({ purchases }) =>
    purchases.some(({ movements }) =>
      movements.some(({ kind, at }) => kind === 'refund' && at < now),
    ),
  );
  const next = { first, until: now, buyer: buyer ? emailOf(buyer) : '' };
  await kv.put(sampleKey, JSON.stringify(next));
  return next;
}

/** Deletes the sample, including its counts. */
export async function removeSample({ kv, db, analytics }: SampleStores): Promise<void> {
  if ((await kv.get(sampleKey)) === null) return;
  const counts = ['hours', 'days', 'totals', 'payments', 'vitals', 'slices', 'progress'];
  await analytics.batch([
    ...counts.map((table) => analytics.prepare(`DELETE FROM ${table}`)),
    analytics.prepare('UPDATE compiled SET until = 0'),
  ]);
  const people = {
    accounts: 'id',
    attempts: 'id',
    subscriptions: 'attempt_id',
    failed_renewals: 'attempt_id',
    ledger: 'id',
    audit: 'id',
  };
  await db.batch(
    Object.entries(people).map(([table, column]) =>
      db.prepare(`DELETE FROM ${table} WHERE ${column} LIKE 'sample-%'`),
    ),
  );
  for (const { name, metadata } of (await kv.list({ prefix: 'documents/versions/config/' })).keys) {
    if (textIn(metadata, 'who') === sampleAuthor) await kv.delete(name);
  }
  const { config, ...others } = await readManifest(kv);
  if (config?.who === sampleAuthor) {
    for (const [key, text] of Object.entries(builtInDocuments)) await kv.put(key, text);
    await kv.put(manifestKey, JSON.stringify(others));
  }
  await kv.delete(sampleKey);
}
