import type { D1Database } from '@cloudflare/workers-types';
import { everyAccountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';

const dayMs = 24 * 60 * 60_000;
/** How far ahead renewals are counted. */
export const dueDays = 7;

export interface SubscriptionCounts {
  /** Main plans and upsells, including those that end with their paid period. */
  active: number;
  /** Active ones that renew within `dueDays`. */
  due: number;
  /** Renewals that failed in the period, and in the one before. */
  failed: number;
  failedBefore: number;
  /** Failed renewals within 90 days that are neither paid nor given up. */
  open: number;
}

interface Span {
  from: number;
  to: number;
}

/** Current numbers of subscriptions, from the copy in D1 and by index only. */
export async function subscriptionCounts(
  db: D1Database,
  period: Span,
  before: Span,
  now: number,
): Promise<SubscriptionCounts> {
  const active = "status = 'active' AND slot IN ('main', 'upsell')";
  const failed =
    'SELECT count(*) AS n FROM failed_renewals WHERE failed_at >= ?1 AND failed_at < ?2';
  const found = await db.batch<{ n: number }>([
    db.prepare(`SELECT count(*) AS n FROM subscriptions WHERE ${active}`),
    db
      .prepare(
        `SELECT count(*) AS n FROM subscriptions WHERE ${active} AND cancel_at_period_end = 0
           AND paid_until >= ?1 AND paid_until < ?2`,
      )
      .bind(now, now + dueDays * dayMs),
    db.prepare(failed).bind(period.from, period.to),
    db.prepare(failed).bind(before.from, before.to),
    db.prepare(`${failed} AND outcome = 'open'`).bind(now - 90 * dayMs, now),
  ]);
  const [activeNow, due, failedNow, failedBefore, open] = found.map(
    ({ results }) => results[0]?.n ?? 0,
  );
  return {
    active: activeNow ?? 0,
    due: due ?? 0,
    failed: failedNow ?? 0,
    failedBefore: failedBefore ?? 0,
    open: open ?? 0,
  };
}

export async function allSubscriptionCounts(
  env: Env,
  period: Span,
  before: Span,
  now: number,
): Promise<SubscriptionCounts> {
  const found = await Promise.all(
    everyAccountDatabase(env).map((db) => subscriptionCounts(db, period, before, now)),
  );
  const sumOf = (name: keyof SubscriptionCounts) =>
    found.reduce((sum, counts) => sum + counts[name], 0);
  return {
    active: sumOf('active'),
    due: sumOf('due'),
    failed: sumOf('failed'),
    failedBefore: sumOf('failedBefore'),
    open: sumOf('open'),
  };
}
