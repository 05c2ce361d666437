import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { accountById } from '../accounts/account-table.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { hmacOf } from '../platform/hmac.ts';
import type { AccountId, InvitationId } from '../platform/types.ts';
import { codeLifetimeMs } from './rules/invitation.ts';

/** A list contains at least this many entries, and all that can still change. */
const minListed = 20;

const changeableMs = 38 * dayMs;

export interface InvitationEntry {
  id: InvitationId;
  inviteeKey: string;
}

interface NewCode {
  hash: string;
  inviteeKey: string;
  account: AccountId;
  browser: string | null;
}

export async function insertCode(
  db: D1Database,
  { hash, inviteeKey, account, browser }: NewCode,
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM invitation_codes WHERE expires_at < ?').bind(now),
    db
      .prepare(
        `INSERT INTO invitation_codes (code_hash, invitee_key, account_id, visitor_id, expires_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .bind(hash, inviteeKey, account, browser, now + codeLifetimeMs),
  ]);
}

/** People whom an account may invite while nobody has confirmed its e-mail. */
export const maxUnconfirmedPeople = 5;

/** Counts and inserts at once, so that parallel calls get no further. @returns false if it has invited `most` others */
export async function insertInvitation(
  db: D1Database,
  { id, account, inviteeKey }: InvitationEntry & { account: AccountId },
  now: number,
  most: number | null = null,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT INTO invitations (id, account_id, invitee_key, created_at)
       SELECT ?1, ?2, ?3, ?4 WHERE ?5 IS NULL OR (
         SELECT COUNT(DISTINCT invitee_key) FROM invitations
         WHERE account_id = ?2 AND invitee_key <> ?3
       ) < ?5`,
    )
    .bind(id, account, inviteeKey, now, most)
    .run();
  return meta.changes > 0;
}

export async function listInvitationEntries(
  db: D1Database,
  account: AccountId,
  now: number,
): Promise<InvitationEntry[]> {
  const { results } = await db
    .prepare(
      `SELECT id, invitee_key AS inviteeKey FROM invitations
       WHERE account_id = ?1 AND created_at >= MIN(?2, COALESCE((
         SELECT created_at FROM invitations WHERE account_id = ?1
         ORDER BY created_at DESC LIMIT 1 OFFSET ?3
       ), 0)) ORDER BY created_at DESC`,
    )
    .bind(account, now - changeableMs, minListed - 1)
    .all<InvitationEntry>();
  return results;
}

export function findInvitationEntry(
  db: D1Database,
  account: AccountId,
  id: InvitationId,
): Promise<InvitationEntry | null> {
  return db
    .prepare(
      'SELECT id, invitee_key AS inviteeKey FROM invitations WHERE account_id = ? AND id = ?',
    )
    .bind(account, id)
    .first<InvitationEntry>();
}

export async function inviteeKeysOf(db: D1Database, account: AccountId): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT DISTINCT invitee_key AS inviteeKey FROM invitations WHERE account_id = ?')
    .bind(account)
    .all<{ inviteeKey: string }>();
  return results.map(({ inviteeKey }) => inviteeKey);
}

export async function forgetRequester(
  env: Env,
  account: AccountId,
  inviteeKeys: readonly string[],
): Promise<void> {
  for (const inviteeKey of inviteeKeys)
    await env.INVITATIONS.getByName(inviteeKey).forgetRequester(account);
}

/** The codes still open the invitees' pages, so that they can report who left. */
const invitationErasure = (db: D1Database, account: AccountId): D1PreparedStatement[] => [
  db.prepare('DELETE FROM invitations WHERE account_id = ?').bind(account),
  db
    .prepare("UPDATE invitation_codes SET account_id = '', visitor_id = NULL WHERE account_id = ?")
    .bind(account),
];

/** Ends the invitations of an account that D1 no longer has. @returns false while D1 has it */
export async function eraseInvitations(env: Env, account: AccountId): Promise<boolean> {
  const db = accountDatabase(env, account);
  if (await accountById(db, account)) return false;
  await forgetRequester(env, account, await inviteeKeysOf(db, account));
  await db.batch(invitationErasure(db, account));
  return true;
}

/** Erases what a call has stored since its account was deleted. @throws Refusal `unauthorized` if it was deleted */
export async function refuseIfDeleted(env: Env, account: AccountId, invitee: string) {
  const db = accountDatabase(env, account);
  if (await accountById(db, account)) return;
  await forgetRequester(env, account, [invitee]);
  await db.batch(invitationErasure(db, account));
  throw new Refusal('unauthorized');
}

/** @returns the invitee, and whether that browser belongs to the requester; undefined for an unknown code */
export async function findInviteeByCode(
  db: D1Database,
  hash: string,
  browser: string | null,
  now: number,
): Promise<{ inviteeKey: string; isRequester: boolean } | null> {
  const found = await db
    .prepare(
      `SELECT invitee_key AS inviteeKey, codes.visitor_id = ?2 OR accounts.visitor_id = ?2 AS own
       FROM invitation_codes AS codes LEFT JOIN accounts ON accounts.id = account_id
       WHERE code_hash = ?1 AND expires_at > ?3`,
    )
    .bind(hash, browser, now)
    .first<{ inviteeKey: string; own: number | null }>();
  return found && { inviteeKey: found.inviteeKey, isRequester: found.own === 1 };
}

/** Later invitations belong to another purchase. @throws when some could not be ended; the others have ended */
export async function endInvitations(env: Env, account: AccountId, until: number): Promise<void> {
  const inviteeKeys = await inviteeKeysOf(accountDatabase(env, account), account);
  const invitees = inviteeKeys.map((inviteeKey) => env.INVITATIONS.getByName(inviteeKey));
  const results = await Promise.allSettled(
    invitees.map((invitee) => invitee.endWithPlan(account, until)),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Names the invitee's object. @throws Refusal `invitations_disabled` while the secret is not set */
export async function phoneHash(env: Env, e164: string): Promise<string> {
  const secret = env.PHONE_HASH_SECRET ?? '';
  if (secret.length < 32) throw new Refusal('invitations_disabled');
  return hmacOf(secret, 'phone', e164);
}
