import type { D1Database } from '@cloudflare/workers-types';
import { type Choice, consentVersion } from './rules/consent.ts';

/** A choice about cookies, and who made it where. */
export interface Consent {
  /** The visitor's uuid. */
  visitor: string;
  choice: Choice;
  /** ISO 3166 alpha-2. */
  country: string;
  /** Of the words that were read, BCP 47. */
  language: string;
}

/**
 * Keeps a choice and the version of the words it was made under; a refusal without its visitor, whose
 * earlier yes ends by it. Where no choice of theirs is kept, the refusal names them, so that it is known.
 * Choices may come late, and in another order than they were made in.
 *
 * @param now when it was made, ms since 1970
 * @param id makes two of these calls the same choice
 */
export async function insertConsent(
  db: D1Database,
  { visitor, choice, country, language }: Consent,
  now: number,
  id: string = crypto.randomUUID(),
): Promise<void> {
  const made = (named: string, withdrawn: string) =>
    db
      .prepare(
        `INSERT INTO consents (id, visitor, choice, version, country, language, at, withdrawn)
         VALUES (?1, ${named}, ?3, ?4, ?5, ?6, ?7, ${withdrawn}) ON CONFLICT DO NOTHING`,
      )
      .bind(id, visitor, choice, consentVersion, country, language, now);
  const since = '(SELECT max(withdrawn) FROM consents WHERE visitor = ?2 AND withdrawn > ?7)';
  const stranger = 'iif(EXISTS (SELECT 1 FROM consents WHERE visitor = ?2), NULL, ?2)';
  const ended = db
    .prepare(
      `UPDATE consents SET withdrawn = ?2
       WHERE visitor = ?1 AND withdrawn IS NULL AND at <= ?2`,
    )
    .bind(visitor, now);
  await db.batch(choice === 'yes' ? [made('?2', since)] : [ended, made(stranger, '?7')]);
}

/** Those of these visitors whose last choice, as far as it is kept, was a no. */
export async function withdrawnChoices(
  db: D1Database,
  visitors: readonly string[],
): Promise<ReadonlySet<string>> {
  const { results } = await db
    .prepare(
      `SELECT visitor FROM consents WHERE visitor IN (SELECT value FROM json_each(?))
       GROUP BY visitor HAVING count(withdrawn) = count(*)`,
    )
    .bind(JSON.stringify([...new Set(visitors)]))
    .all<{ visitor: string }>();
  return new Set(results.map(({ visitor }) => visitor));
}
