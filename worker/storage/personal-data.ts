import type { D1Database } from '@cloudflare/workers-types';

/** The id of the browser that an account was opened in, by which it is known there. */
const visitor = '(SELECT user_uuid FROM accounts WHERE id = ?)';

/** Every table with rows about an account, by the name of the copy's part, and how they are read. */
const parts = {
  account:
    'SELECT id, email, name, user_uuid, landing_type, country, language, experiment, arm, created_at, verified_at, google_sub FROM accounts WHERE id = ?',
  purchases:
    'SELECT attempt, plan, gateway, amount, coupon, state, experiment, arm, opened_at, terms FROM purchases WHERE account = ?',
  holdings:
    'SELECT attempt, plan, gateway, subscription_id, status, paid_until, ends FROM holdings WHERE account = ?',
  payments:
    'SELECT id, attempt, kind, amount, currency, payment_id, gateway, at FROM ledger WHERE account = ?',
  links: 'SELECT opens, created_at, expires_at, used_at FROM deeplinks WHERE account_id = ?',
  codes: 'SELECT expires_at, used_at, tries FROM hand_codes WHERE account_id = ?',
  invitations: 'SELECT id, at FROM invitations WHERE account_id = ?',
  events: `SELECT name, at, session, screen, flow, arm, country, language, consent, properties FROM events WHERE visitor = ${visitor} ORDER BY at`,
  consents: `SELECT choice, version, country, language, at, withdrawn FROM consents WHERE visitor = ${visitor} ORDER BY at`,
} as const;

export type PersonalData = Record<keyof typeof parts, Record<string, unknown>[]>;

/** Everything that we keep about an account, but for what would open it. Times in ms since 1970. */
export async function personalData(db: D1Database, account: string): Promise<PersonalData> {
  const names = Object.keys(parts) as (keyof typeof parts)[];
  const results = await db.batch<Record<string, unknown>>(
    names.map((name) => db.prepare(parts[name]).bind(account)),
  );
  const entries = names.map((name, index) => [name, results[index]?.results ?? []]);
  return Object.fromEntries(entries) as PersonalData;
}

/**
 * Erases who an account was, its links and codes, what was done in its browser and allowed there; what
 * was paid stays, under a bare id.
 */
export async function erase(db: D1Database, account: string): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM deeplinks WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM hand_codes WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM invitations WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM invitation_codes WHERE account_id = ?').bind(account),
    db
      .prepare(
        `DELETE FROM events_told WHERE id IN (SELECT id FROM events WHERE visitor = ${visitor})`,
      )
      .bind(account),
    db.prepare(`DELETE FROM events WHERE visitor = ${visitor}`).bind(account),
    db.prepare(`DELETE FROM consents WHERE visitor = ${visitor}`).bind(account),
    db.prepare('DELETE FROM accounts WHERE id = ?').bind(account),
  ]);
}
