import type { D1Database } from '@cloudflare/workers-types';

/** The visitor id of an account. */
const visitor = '(SELECT user_uuid FROM accounts WHERE id = ?)';

/** A query for each part of the export. */
const queries = {
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

export type PersonalData = Record<keyof typeof queries, Record<string, unknown>[]>;

/** Everything in D1 about an account except secrets. Times in ms since 1970. */
export async function personalData(db: D1Database, account: string): Promise<PersonalData> {
  const names = Object.keys(queries) as (keyof typeof queries)[];
  const results = await db.batch<Record<string, unknown>>(
    names.map((name) => db.prepare(queries[name]).bind(account)),
  );
  const entries = names.map((name, index) => [name, results[index]?.results ?? []]);
  return Object.fromEntries(entries) as PersonalData;
}

/** Erases the account, its codes, events and consents. Payments stay under the account's bare id. */
export async function erase(db: D1Database, account: string): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM deeplinks WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM hand_codes WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM invitations WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM invitation_codes WHERE account_id = ?').bind(account),
    db
      .prepare(
        `DELETE FROM event_deliveries WHERE id IN (SELECT id FROM events WHERE visitor = ${visitor})`,
      )
      .bind(account),
    db.prepare(`DELETE FROM events WHERE visitor = ${visitor}`).bind(account),
    db.prepare(`DELETE FROM consents WHERE visitor = ${visitor}`).bind(account),
    db.prepare('DELETE FROM accounts WHERE id = ?').bind(account),
  ]);
}
