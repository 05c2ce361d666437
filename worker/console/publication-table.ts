import type { D1Database } from '@cloudflare/workers-types';

export interface Publication {
  version: string;
  /** Fingerprint of the documents that the editor changed. */
  base: string;
  /** Fingerprint of the published documents. */
  fingerprint: string;
}

/** @param since ms since 1970 */
export const lastPublication = (
  db: D1Database,
  since: number,
): Promise<Pick<Publication, 'version' | 'fingerprint'> | null> =>
  db
    .prepare(
      `SELECT version, fingerprint FROM config_publications
       WHERE published_at > ? ORDER BY published_at DESC, version DESC LIMIT 1`,
    )
    .bind(since)
    .first();

/** One statement, which decides between two editors. @returns false when another one has the same base */
export async function takePublication(
  db: D1Database,
  { version, base, fingerprint }: Publication,
  now: number,
  since: number,
): Promise<boolean> {
  const taken = await db
    .prepare(
      `INSERT INTO config_publications (version, base, fingerprint, published_at)
       SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (
         SELECT 1 FROM config_publications WHERE published_at > ?5 AND base = ?2)
       RETURNING version`,
    )
    .bind(version, base, fingerprint, now, since)
    .first();
  return taken !== null;
}

export async function dropPublication(db: D1Database, version: string): Promise<void> {
  await db.prepare('DELETE FROM config_publications WHERE version = ?').bind(version).run();
}
