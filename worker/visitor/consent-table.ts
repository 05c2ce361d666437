import type { D1Database } from '@cloudflare/workers-types';
import { encodeBase64Url } from 'hono/utils/encode';
import { databaseFor, databasesFor } from '../platform/account-databases.ts';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import type { VisitorId } from '../platform/types.ts';
import { type Choice, consentVersion } from './rules/consent.ts';

export interface Consent {
  visitor: VisitorId;
  choice: Choice;
  country: string;
  /** Language of the banner that the visitor read, BCP 47. */
  language: string;
}

export const consentDatabase = (env: Env, visitor: VisitorId): Promise<D1Database> =>
  databaseFor(env, `visitor:${visitor}`);

export const consentDatabases = (env: Env, visitor: VisitorId): Promise<D1Database[]> =>
  databasesFor(env, `visitor:${visitor}`);

/** One row for each visitor and choice. It names the visitor only where `visitor_id` does. */
async function rowId(visitor: VisitorId, choice: Choice): Promise<string> {
  const text = new TextEncoder().encode(`${visitor} ${choice}`);
  return encodeBase64Url(await crypto.subtle.digest('SHA-256', text));
}

/** A refusal withdraws earlier consent; it keeps the visitor id only if no choice is stored. Idempotent. */
export async function insertConsent(
  db: D1Database,
  { visitor, choice, country, language }: Consent,
  now: number,
): Promise<void> {
  const id = await rowId(visitor, choice);
  const insert = (visitorSql: string, withdrawnSql: string) =>
    db
      .prepare(
        `INSERT INTO consents (id, visitor_id, choice, version, country, language, chosen_at, withdrawn_at)
         VALUES (?1, ${visitorSql}, ?3, ?4, ?5, ?6, ?7, ${withdrawnSql})
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, country = excluded.country,
           language = excluded.language, chosen_at = excluded.chosen_at,
           withdrawn_at = excluded.withdrawn_at
         WHERE excluded.chosen_at > consents.chosen_at
           AND (consents.withdrawn_at IS NOT NULL OR excluded.version > consents.version)`,
      )
      .bind(id, visitor, choice, consentVersion, country, language, now);
  const since =
    '(SELECT max(withdrawn_at) FROM consents WHERE visitor_id = ?2 AND withdrawn_at > ?7)';
  const visitorIfUnknown = 'iif(EXISTS (SELECT 1 FROM consents WHERE visitor_id = ?2), NULL, ?2)';
  const withdraw = db
    .prepare(
      `UPDATE consents SET withdrawn_at = ?2
       WHERE visitor_id = ?1 AND withdrawn_at IS NULL AND chosen_at <= ?2`,
    )
    .bind(visitor, now);
  await db.batch(
    choice === 'yes' ? [insert('?2', since)] : [withdraw, insert(visitorIfUnknown, '?7')],
  );
}

/** As long as messages of the visitor may wait in queues. */
const erasureRetentionMs = 8 * dayMs;

/** Ends all consent of an erased visitor, so that consumers drop messages that still wait in queues. Idempotent. */
export async function markErased(db: D1Database, visitor: VisitorId, now: number): Promise<void> {
  await db.batch([
    db
      .prepare(`DELETE FROM consents WHERE id >= 'erased:' AND id < 'erased;' AND chosen_at < ?`)
      .bind(now - erasureRetentionMs),
    db
      .prepare(
        'UPDATE consents SET withdrawn_at = ?2 WHERE visitor_id = ?1 AND withdrawn_at IS NULL',
      )
      .bind(visitor, now),
    db
      .prepare(
        `INSERT INTO consents (id, visitor_id, choice, version, country, language, chosen_at, withdrawn_at)
         VALUES ('erased:' || ?1, ?1, 'no', ?3, '', '', ?2, ?2) ON CONFLICT DO NOTHING`,
      )
      .bind(visitor, now, consentVersion),
  ]);
}

/** Keeps the mark of `markErased`. */
export async function deleteConsents(db: D1Database, visitor: VisitorId): Promise<void> {
  const others = db.prepare("DELETE FROM consents WHERE visitor_id = ?1 AND id <> 'erased:' || ?1");
  await others.bind(visitor).run();
}

export async function withdrawnChoices(
  db: Pick<D1Database, 'prepare'>,
  visitors: readonly VisitorId[],
): Promise<ReadonlySet<VisitorId>> {
  const { results } = await db
    .prepare(
      `SELECT visitor_id AS visitor FROM consents
       WHERE visitor_id IN (SELECT value FROM json_each(?))
       GROUP BY visitor_id HAVING count(withdrawn_at) = count(*)`,
    )
    .bind(JSON.stringify([...new Set(visitors)]))
    .all<{ visitor: VisitorId }>();
  return new Set(results.map(({ visitor }) => visitor));
}

/** From databases with every choice since the last extension: events of older choices were delivered long ago. */
export async function withdrawnVisitors(
  env: Env,
  visitors: readonly VisitorId[],
): Promise<ReadonlySet<VisitorId>> {
  const places = await Promise.all(
    [...new Set(visitors)].map(async (visitor) => ({
      visitor,
      db: await consentDatabase(env, visitor),
    })),
  );
  const found = await Promise.all(
    [...Map.groupBy(places, ({ db }) => db)].map(([db, own]) =>
      withdrawnChoices(
        // Not a replica, which may not have the withdrawal yet.
        db,
        own.map(({ visitor }) => visitor),
      ),
    ),
  );
  return new Set(found.flatMap((some) => [...some]));
}
