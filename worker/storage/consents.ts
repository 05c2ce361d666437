import type { D1Database } from '@cloudflare/workers-types';
import { type Choice, consentVersion } from '../funnel/consent.ts';

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
 * earlier yes ends by it.
 *
 * @param now ms since 1970
 */
export async function noteConsent(db: D1Database, consent: Consent, now: number): Promise<void> {
  const { visitor, choice, country, language } = consent;
  const named = choice === 'yes' ? visitor : null;
  const made = db
    .prepare(
      `INSERT INTO consents (id, visitor, choice, version, country, language, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(crypto.randomUUID(), named, choice, consentVersion, country, language, now);
  const ended = db
    .prepare('UPDATE consents SET withdrawn = ? WHERE visitor = ? AND withdrawn IS NULL')
    .bind(now, visitor);
  await db.batch(choice === 'yes' ? [made] : [made, ended]);
}

/** Those of these visitors who said yes once, and took it back. */
export async function withdrawnOf(
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
