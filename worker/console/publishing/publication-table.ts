import type { D1Database } from '@cloudflare/workers-types';

export interface Publication {
  kind: 'config' | 'content';
  version: string;
  /** Fingerprint of the documents that the editor changed. */
  base: string;
  fingerprint: string;
}

/** Texts share the table, with prefixed versions. */
const nameOf = ({ kind, version }: Pick<Publication, 'kind' | 'version'>) =>
  kind === 'config' ? version : `content/${version}`;

const lastOf = `FROM config_publications WHERE published_at > ?1 AND (version LIKE 'content/%') = ?2
  ORDER BY published_at DESC, version DESC LIMIT 1`;
const isContent = (kind: Publication['kind']) => (kind === 'content' ? 1 : 0);

/** @param since ms since 1970 */
export const lastPublication = (
  db: D1Database,
  kind: Publication['kind'],
  since: number,
): Promise<Pick<Publication, 'version'> | null> =>
  db
    .prepare(`SELECT replace(version, 'content/', '') AS version ${lastOf}`)
    .bind(since, isContent(kind))
    .first();

/**
 * Of two concurrent editors one wins. The same change again takes over what may have stopped half-way.
 * @returns when the change was first taken; null when the last publication is not the base
 */
export async function takePublication(
  db: D1Database,
  publication: Publication,
  now: number,
  since: number,
): Promise<number | null> {
  const { kind, base, fingerprint } = publication;
  const taken = await db
    .prepare(
      `INSERT INTO config_publications (version, base, fingerprint, published_at)
       SELECT ?3, ?4, ?5, ?6 WHERE coalesce((SELECT fingerprint ${lastOf}), ?4) = ?4
       RETURNING published_at`,
    )
    .bind(since, isContent(kind), nameOf(publication), base, fingerprint, now)
    .first<number>('published_at');
  if (taken !== null) return taken;
  const last = await db
    .prepare(`SELECT base, fingerprint, published_at ${lastOf}`)
    .bind(since, isContent(kind))
    .first<{ base: string; fingerprint: string; published_at: number }>();
  return last?.base === base && last.fingerprint === fingerprint ? last.published_at : null;
}

export async function dropPublication(
  db: D1Database,
  publication: Pick<Publication, 'kind' | 'version'>,
): Promise<void> {
  const sql = 'DELETE FROM config_publications WHERE version = ?';
  await db.prepare(sql).bind(nameOf(publication)).run();
}

interface PublicationNote {
  version: string;
  reason: string;
  /** What changed, as JSON. */
  differences: string;
}

/** Why the last 200 documents were published, and what changed, by version. */
export async function publicationNotes(
  db: D1Database,
  kind: Publication['kind'],
): Promise<Map<string, PublicationNote>> {
  const { results } = await db
    .prepare(
      `SELECT substr(result, length('published ') + 1) AS version, reason,
         coalesce(details ->> 'differences', '[]') AS differences FROM audit
       WHERE target = ?1 AND action = 'publish' AND result LIKE 'published %' AND reason <> ''
       ORDER BY started_at DESC LIMIT 200`,
    )
    .bind(kind)
    .all<PublicationNote>();
  return new Map(results.map((note) => [note.version, note]));
}
