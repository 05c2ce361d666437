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
 * Keeps a choice and the version of the words it was made under; a refusal without its visitor.
 *
 * @param now ms since 1970
 */
export async function noteConsent(db: D1Database, consent: Consent, now: number): Promise<void> {
  const { visitor, choice, country, language } = consent;
  await db
    .prepare(
      `INSERT INTO consents (id, visitor, choice, version, country, language, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      crypto.randomUUID(),
      choice === 'yes' ? visitor : null,
      choice,
      consentVersion,
      country,
      language,
      now,
    )
    .run();
}
