import type { D1Database } from '@cloudflare/workers-types';
import { requestEventErasure } from '../analytics/erase-visitor.ts';
import { eventShards } from '../analytics/rules/shards.ts';
import type { StoredEvent } from '../analytics/rules/stored-event.ts';
import {
  eraseInvitations,
  forgetRequester,
  inviteeKeysOf,
} from '../invitations/invitation-index.ts';
import {
  type OwnedPurchase,
  receivedPurchase,
} from '../payments/subscriptions/owned-subscription.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { type Refused, throwIfRefused } from '../platform/errors.ts';
import { typedKeys } from '../platform/keys.ts';
import { logger, reasonOf } from '../platform/log.ts';
import type { AccountId, VisitorId } from '../platform/types.ts';
import { consentDatabases, deleteConsents } from '../visitor/consent-table.ts';

const queries = {
  account:
    'SELECT id, email, name, visitor_id, landing_type, country, language, experiment, arm, arms, created_at, verified_at, google_sub, offer_started_at FROM accounts WHERE id = ?',
  attempts:
    'SELECT id, plan, gateway, amount, coupon, state, experiment, arm, arms, opened_at, terms FROM attempts WHERE account_id = ?',
  subscriptions:
    'SELECT attempt_id, plan, gateway, subscription_id, status, paid_until, cancel_at_period_end FROM subscriptions WHERE account_id = ?',
  payments:
    'SELECT id, attempt_id, kind, amount, tax, currency, payment_id, gateway, occurred_at FROM ledger WHERE account_id = ?',
  failed_renewals:
    'SELECT attempt_id, period_ended_at, amount, currency, failed_at, outcome, ended_at FROM failed_renewals WHERE attempt_id IN (SELECT id FROM attempts WHERE account_id = ?)',
  plan_changes:
    'SELECT id, attempt_id, kind, plan, amount, credit, currency, state, payment_id, takes_effect_at, pauses_until, opened_at FROM plan_changes WHERE account_id = ?',
  entitlements: 'SELECT version, active, changed_at FROM entitlements WHERE account_id = ?',
  links: 'SELECT purpose, created_at, expires_at, used_at FROM one_time_codes WHERE account_id = ?',
  codes:
    'SELECT expires_at, used_at, attempts FROM manual_codes WHERE account_id = ?1 UNION ALL SELECT expires_at, NULL, tries FROM mailbox_codes WHERE account_id = ?1',
  invitations: 'SELECT id, created_at FROM invitations WHERE account_id = ?',
} as const;

const choices =
  'SELECT choice, version, country, language, chosen_at, withdrawn_at FROM consents WHERE visitor_id = ? ORDER BY chosen_at';

type Row = Record<string, unknown>;
export type PersonalData = Record<keyof typeof queries | 'consents', Row[]>;

const visitorOf = (db: D1Database, account: AccountId) =>
  db
    .prepare('SELECT visitor_id FROM accounts WHERE id = ?')
    .bind(account)
    .first<VisitorId>('visitor_id');

/** Without secrets. Times in ms since 1970. @param consentsIn databases of the visitor's consents */
export async function personalData(
  db: D1Database,
  account: AccountId,
  consentsIn: readonly D1Database[] = [db],
): Promise<PersonalData> {
  const names = typedKeys(queries);
  const results = await db.batch<Row>(names.map((name) => db.prepare(queries[name]).bind(account)));
  const entries = names.map((name, index) => [name, results[index]?.results ?? []]);
  const visitor = await visitorOf(db, account);
  const consents: Row[] = [];
  for (const each of consentsIn)
    consents.push(...(await each.prepare(choices).bind(visitor).all<Row>()).results);
  return { ...Object.fromEntries(entries), consents };
}

async function eventsOf(env: Env, visitor: VisitorId | null): Promise<StoredEvent[]> {
  if (!visitor) return [];
  const shards = eventShards.map((shard) => env.EVENT_SHARDS.getByName(shard).eventsOf(visitor));
  return (await Promise.all(shards)).flat();
}

const log = logger();

/** Erases the account, its codes and consents. Its payments and invitations stay under its bare id. Idempotent. */
export async function erase(
  db: D1Database,
  account: AccountId,
  consentsIn: readonly D1Database[] = [db],
): Promise<void> {
  // Before the account, because only its row names the visitor whose consents are erased.
  const visitor = await visitorOf(db, account);
  if (visitor) for (const each of consentsIn) await deleteConsents(each, visitor);
  await db.batch([
    db.prepare('DELETE FROM one_time_codes WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM manual_codes WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM mailbox_codes WHERE account_id = ?').bind(account),
    db.prepare('DELETE FROM accounts WHERE id = ?').bind(account),
  ]);
}

/** Cancels renewals, then erases. Idempotent: a failed call can be repeated. @throws Refusal */
export async function cancelAndErase(
  env: Env,
  account: AccountId,
  refusalOf: () => Promise<Refused | null>,
): Promise<OwnedPurchase[]> {
  const deleted = throwIfRefused(await env.PURCHASES.getByName(account).deleteAccount(refusalOf));
  const db = accountDatabase(env, account);
  await forgetRequester(env, account, await inviteeKeysOf(db, account));
  const visitor = await visitorOf(db, account);
  if (visitor) await requestEventErasure(env, visitor);
  await erase(db, account, visitor ? await consentDatabases(env, visitor) : []);
  // Again, because another tab may have invited meanwhile. If it fails, the account's object does it.
  await eraseInvitations(env, account).catch((error) => {
    log('warn', 'invitation_cleanup_failed', { account, reason: reasonOf(error) });
  });
  return deleted.subscriptions.map(receivedPurchase);
}

/** Adds what only the invitees' objects have. */
async function invitationsOf(env: Env, account: AccountId, entries: readonly Row[]) {
  const inviteeKeys = await inviteeKeysOf(accountDatabase(env, account), account);
  const data = inviteeKeys.map((key) => env.INVITATIONS.getByName(key).requesterData(account));
  const details = new Map<unknown, object>(
    (await Promise.all(data)).flat().map((one) => [one.id, one]),
  );
  return entries.map((entry) => ({ ...entry, ...details.get(entry.id) }));
}

export async function everythingOf(env: Env, account: AccountId) {
  const db = accountDatabase(env, account);
  const visitor = await visitorOf(db, account);
  const rows = await personalData(db, account, visitor ? await consentDatabases(env, visitor) : []);
  const purchases = env.PURCHASES.getByName(account);
  return {
    ...rows,
    product: (await purchases.productUser()) ?? null,
    invitations: await invitationsOf(env, account, rows.invitations),
    card: (await purchases.card())?.card ?? null,
    events: await eventsOf(env, visitor),
  };
}
