import type { D1Database } from '@cloudflare/workers-types';

interface Confirmation {
  key: string;
  language: string;
  /** The English text that the translation matches. */
  english: string;
}

/** By language, then by key. */
export type Confirmations = ReadonlyMap<string, ReadonlyMap<string, string>>;

export async function readConfirmations(db: D1Database): Promise<Confirmations> {
  const { results } = await db
    .prepare('SELECT key, language, english FROM text_confirmations')
    .all<Confirmation>();
  const byLanguage = Map.groupBy(results, ({ language }) => language);
  return new Map(
    [...byLanguage].map(([language, rows]) => [
      language,
      new Map(rows.map(({ key, english }) => [key, english])),
    ]),
  );
}

/** The newest confirmation of a key and language replaces the earlier one. */
export async function writeConfirmations(
  db: D1Database,
  rows: readonly Confirmation[],
): Promise<void> {
  await db
    .prepare(
      `INSERT OR REPLACE INTO text_confirmations (key, language, english)
       SELECT value ->> 'key', value ->> 'language', value ->> 'english' FROM json_each(?)`,
    )
    .bind(JSON.stringify(rows))
    .run();
}
