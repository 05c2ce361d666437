import type { D1Database } from '@cloudflare/workers-types';

/** The app's server as a receiver. A new URL is a new endpoint. Times in ms since 1970. */
export interface Endpoint {
  failingSince: number | null;
  disabledAt: number | null;
}

const unknown: Endpoint = { failingSince: null, disabledAt: null };

export async function endpointOf(db: D1Database, url: string): Promise<Endpoint> {
  const row = await db
    .prepare(
      `SELECT failing_since AS failingSince, disabled_at AS disabledAt
       FROM entitlement_endpoints WHERE url = ?`,
    )
    .bind(url)
    .first<Endpoint>();
  return row ?? unknown;
}

/** @returns the endpoint after this failure; disabled if it has failed since before `givenUpBefore` */
export async function recordFailure(
  db: D1Database,
  url: string,
  now: number,
  givenUpBefore: number,
): Promise<Endpoint> {
  const row = await db
    .prepare(
      `INSERT INTO entitlement_endpoints (url, failing_since, disabled_at)
       VALUES (?1, ?2, CASE WHEN ?2 < ?3 THEN ?2 END)
       ON CONFLICT (url) DO UPDATE SET
         failing_since = COALESCE(failing_since, ?2),
         disabled_at = CASE WHEN COALESCE(failing_since, ?2) < ?3
                            THEN COALESCE(disabled_at, ?2) ELSE disabled_at END
       RETURNING failing_since AS failingSince, disabled_at AS disabledAt`,
    )
    .bind(url, now, givenUpBefore)
    .first<Endpoint>();
  return row ?? unknown;
}

/** Called after a successful delivery, or when an operator enables the endpoint. */
export async function recordSuccess(db: D1Database, url: string): Promise<void> {
  await db.prepare('DELETE FROM entitlement_endpoints WHERE url = ?').bind(url).run();
}
