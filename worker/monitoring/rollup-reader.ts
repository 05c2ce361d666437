import type { D1Database } from '@cloudflare/workers-types';
import { testPrefix } from '../experiments/rules/arms.ts';
import { hourMs } from '../platform/durations.ts';
import type { RollupTotals } from './rules/rollup-growth.ts';

const vitalBuckets = 24;

/** Events of the funnel's steps, with the name of the step in the counts. */
const steps: Record<string, string> = {
  onboarding_start: 'visit',
  lead: 'signup',
  checkout_screen_load: 'checkout',
  subs_purchase_started: 'pay',
  subs_purchase_completed: 'purchase',
};

const outcomes: Record<string, readonly string[]> = {
  purchase: ['decided'],
  declined: ['decided', 'declined'],
  challenge: ['challenged'],
  challenge_failed: ['unverified'],
};

const json = (list: readonly unknown[]) => JSON.stringify(list);

type HourRow<Column extends string> = { hour: number; count: number } & Record<Column, string>;

const stepQuery = (db: D1Database, hours: string) =>
  db
    .prepare(
      `SELECT hour, step, country, device, SUM(events) AS count
       FROM hours JOIN slices ON slices.id = hours.slice_id
       WHERE hour IN (SELECT value FROM json_each(?1))
         AND step IN (SELECT value FROM json_each(?2))
       GROUP BY hour, step, country, device`,
    )
    .bind(hours, json(Object.keys(steps)));

const exposureQuery = (db: D1Database, hours: string) =>
  db
    .prepare(
      `SELECT hour, experiment, variant, SUM(events) AS count
       FROM hours JOIN slices ON slices.id = hours.slice_id
       WHERE hour IN (SELECT value FROM json_each(?1)) AND step IN ('exposure', '${testPrefix}exposure')
       GROUP BY hour, experiment, variant`,
    )
    .bind(hours);

const paymentQuery = (db: D1Database, from: number, to: number) =>
  db
    .prepare(
      `SELECT start - start % ${hourMs} AS hour, step, provider, country, SUM(count) AS count
       FROM five_minutes WHERE start >= ?1 AND start < ?2 AND provider <> ''
       GROUP BY start - start % ${hourMs}, step, provider, country`,
    )
    .bind(from, to);

const sums = Array.from({ length: vitalBuckets }, (_, at) => `SUM(b${at}) AS b${at}`).join(', ');

const vitalQuery = (db: D1Database, from: number, to: number) =>
  db
    .prepare(
      `SELECT hour, metric, ${sums} FROM vitals
       WHERE metric IN ('lcp', 'inp', 'cls') AND hour >= ?1 AND hour < ?2 GROUP BY metric, hour`,
    )
    .bind(from, to);

/** @param hours since 1970; hours without events are missing in the result */
export async function readRollups(db: D1Database, hours: readonly number[]): Promise<RollupTotals> {
  const starts = json(hours.map((hour) => hour * hourMs));
  const [from, to] = [Math.min(...hours) * hourMs, (Math.max(...hours) + 1) * hourMs];
  const totals: RollupTotals = Object.fromEntries(hours.map((hour) => [hour, {}]));
  const add = (start: number, series: string, count: number) => {
    const tally = totals[start / hourMs];
    if (tally) tally[series] = (tally[series] ?? 0) + count;
  };
  const [inSteps, exposures, payments, vitals] = await Promise.all([
    stepQuery(db, starts).all<HourRow<'step' | 'country' | 'device'>>(),
    exposureQuery(db, starts).all<HourRow<'experiment' | 'variant'>>(),
    paymentQuery(db, from, to).all<HourRow<'step' | 'provider' | 'country'>>(),
    vitalQuery(db, from, to).all<{ hour: number; metric: string } & Record<string, number>>(),
  ]);
  for (const { hour, step, country, device, count } of inSteps.results) {
    const series = `step|${steps[step]}`;
    add(hour, series, count);
    if (country) add(hour, `${series}|country|${country}`, count);
    if (device) add(hour, `${series}|device|${device}`, count);
  }
  for (const { hour, experiment, variant, count } of exposures.results) {
    add(hour, `exposure|${experiment}|${variant}`, count);
  }
  for (const { hour, step, provider, country, count } of payments.results) {
    if (step === 'refund' || step === 'dispute') add(hour, `ledger|${provider}|${step}`, count);
    for (const outcome of outcomes[step] ?? []) {
      const series = `attempt|${provider}|${outcome}`;
      add(hour, series, count);
      if (country) add(hour, `${series}|${country}`, count);
    }
  }
  for (const { hour, metric, ...buckets } of vitals.results) {
    for (let at = 0; at < vitalBuckets; at += 1) {
      add(hour, `vitals|${metric}|${at}`, buckets[`b${at}`] ?? 0);
    }
  }
  return totals;
}
