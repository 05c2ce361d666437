import type { D1Database } from '@cloudflare/workers-types';
import type { PlanChange } from '../../payments/purchase/change-state.ts';
import type { DisputeState } from '../../payments/purchase/risks.ts';
import { accountDatabase, everyAccountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import type { AccountId, AttemptId, EpochMs, Minor, PaymentId } from '../../platform/types.ts';

export interface FoundPerson {
  account: AccountId;
  /** Empty for a deleted account, whose payments are kept. */
  email: string;
  createdAt: number | null;
  country: string | null;
  /** Time of the last purchase with the coupon that was searched for, or of a payment. */
  boughtAt: number | null;
  plan: string | null;
  amount: Minor | null;
  /** The main plan, or an extra without one; missing for a payment. */
  subscribed?: string | null;
  status?: string | null;
  /** Further subscriptions. */
  more?: number;
  /** Paid less what was returned, by currency, as JSON. */
  net?: string;
  /** 1 for a payment after the first of its subscription. */
  isRenewal?: number;
}

export const peoplePerPage = 20;

/**
 * Of each database: so many accounts with the beginning of an e-mail are read, and so many of the newest accounts, so that
 * a short beginning reads neither all of its accounts nor only old ones.
 */
export const maxRead = 1000;

/** Of the main plan, which an extra may outlast. */
const first = (field: 'plan' | 'status') =>
  `(SELECT ${field} FROM subscriptions WHERE account_id = account
    ORDER BY slot <> 'main', paid_until DESC LIMIT 1)`;

const startsWith = 'email_key >= lower(?1) AND email_key < lower(?1) || char(1114111)';
/** A coupon, one of its single-use codes, or all of them. */
const isCoupon = "(coupon = upper(?1) OR coupon BETWEEN upper(?1) || '.' AND upper(?1) || '.Z')";
const usesCoupon = `${isCoupon} AND state = 'active'`;

/** By the beginning of the e-mail (ignoring case), by coupon, or by exact id. */
export async function findPeople(
  db: D1Database,
  text: string,
  most = peoplePerPage,
): Promise<FoundPerson[]> {
  const { results } = await db
    .prepare(
      `SELECT account, coalesce(email, '') AS email, created_at AS createdAt, country,
         max(opened_at) AS boughtAt, plan, amount, ${first('plan')} AS subscribed,
         ${first('status')} AS status,
         (SELECT count(*) - 1 FROM subscriptions WHERE account_id = account) AS more,
         (SELECT json_group_object(currency, net) FROM (
           SELECT currency, sum(iif(kind = 'capture', amount, -amount)) AS net FROM ledger
           WHERE account_id = account GROUP BY currency)) AS net
       FROM (SELECT * FROM (SELECT id AS account FROM (
           SELECT id, created_at FROM (SELECT id, created_at FROM accounts WHERE ${startsWith} LIMIT ${maxRead})
           UNION SELECT id, created_at FROM (SELECT * FROM accounts AS recent ORDER BY rowid DESC LIMIT ${maxRead})
             WHERE ${startsWith})
           ORDER BY created_at DESC LIMIT ?2)
         UNION SELECT id FROM accounts WHERE id = ?1
         UNION SELECT account_id FROM attempts WHERE account_id = ?1 OR id = ?1 OR id IN (
           SELECT id FROM attempts WHERE ${usesCoupon} ORDER BY opened_at DESC LIMIT ?2)
         UNION SELECT account_id FROM plan_changes WHERE id = ?1
         UNION SELECT account_id FROM ledger WHERE payment_id = ?1)
       LEFT JOIN accounts ON accounts.id = account
       LEFT JOIN attempts ON account_id = account AND ${isCoupon.replaceAll('coupon', '+coupon')} AND state = 'active'
       GROUP BY account ORDER BY boughtAt DESC, created_at DESC LIMIT ?2`,
    )
    .bind(text, most)
    .all<FoundPerson>();
  return results;
}

/** Accounts with this beginning, and buyers with this coupon; counted to one more than are read. */
export async function countPeople(db: D1Database, text: string): Promise<number> {
  const sql = `SELECT (SELECT count(*) FROM (
      SELECT 1 FROM accounts WHERE ${startsWith} LIMIT ${maxRead + 1}))
    + (SELECT count(DISTINCT account_id) FROM (
      SELECT account_id FROM attempts WHERE ${usesCoupon} LIMIT ${maxRead + 1})) AS count`;
  return (await db.prepare(sql).bind(text).first<number>('count')) ?? 0;
}

/** Searches all databases: first the latest buyers with the coupon, then the newest accounts. */
export async function findPeopleAnywhere(
  env: Env,
  text: string,
  page = 0,
): Promise<{ people: FoundPerson[]; total: number; isCut: boolean }> {
  const databases = everyAccountDatabase(env);
  const end = (page + 1) * peoplePerPage;
  const [found, counts] = await Promise.all([
    Promise.all(databases.map((db) => findPeople(db, text, end))),
    Promise.all(databases.map((db) => countPeople(db, text))),
  ]);
  const inOrder = found
    .flat()
    .sort(
      (a, b) => (b.boughtAt ?? 0) - (a.boughtAt ?? 0) || (b.createdAt ?? 0) - (a.createdAt ?? 0),
    );
  const counted = counts.reduce((sum, count) => sum + Math.min(count, maxRead), 0);
  return {
    people: inOrder.slice(end - peoplePerPage, end),
    total: Math.max(counted, Math.min(inOrder.length, end)),
    isCut: counts.some((count) => count > maxRead),
  };
}

/** The latest payments of all databases, with their buyers. */
export async function latestBuyers(env: Env): Promise<FoundPerson[]> {
  const sql = `SELECT ledger.account_id AS account, coalesce(email, '') AS email, created_at AS createdAt,
      country, occurred_at AS boughtAt, plan, ledger.amount,
      EXISTS (SELECT 1 FROM ledger AS earlier WHERE earlier.account_id = ledger.account_id
        AND earlier.attempt_id = ledger.attempt_id AND earlier.kind = 'capture'
        AND earlier.occurred_at < ledger.occurred_at) AS isRenewal
    FROM ledger JOIN attempts ON attempts.id = attempt_id
      LEFT JOIN accounts ON accounts.id = ledger.account_id
    WHERE kind = 'capture' ORDER BY occurred_at DESC LIMIT 10`;
  const read = (db: D1Database) => db.prepare(sql).all<FoundPerson>();
  const found = await Promise.all(everyAccountDatabase(env).map(read));
  const latest = found.flatMap(({ results }) => results);
  return latest.sort((a, b) => (b.boughtAt ?? 0) - (a.boughtAt ?? 0)).slice(0, 10);
}

interface AccountRow {
  email: string;
  name: string;
  country: string;
  language: string;
  experiment: string | null;
  arm: string;
  arms: string;
  created_at: number;
  verified_at: number | null;
}

interface AttemptRow {
  id: AttemptId;
  slot: string;
  plan: string;
  gateway: string;
  amount: Minor;
  coupon: string | null;
  state: string;
  decline_code: string | null;
  opened_at: number;
  terms: string | null;
}

interface SubscriptionRow {
  attempt_id: AttemptId;
  plan: string;
  gateway: string;
  status: string;
  paid_until: number | null;
  cancel_at_period_end: number;
}

export interface StoredLedgerRow {
  id: string;
  attempt_id: AttemptId;
  kind: 'capture' | 'refund' | 'dispute';
  amount: Minor;
  /** Included in the amount; null where it is unknown. */
  tax: Minor | null;
  currency: string;
  payment_id: PaymentId;
  gateway: string;
  occurred_at: EpochMs;
  refund_key: string | null;
}

interface PlanChangeRow {
  kind: PlanChange['kind'];
  plan: string;
  amount: Minor;
  currency: string;
  state: string;
  payment_id: PaymentId | null;
  opened_at: number;
}

interface AuditedRow {
  operator: string;
  action: string;
  target: string;
  details: string;
  reason: string;
  result: string;
  started_at: number;
}

interface DisputeRow {
  payment_id: PaymentId;
  gateway: string;
  amount: Minor;
  currency: string;
  reason: string;
  state: DisputeState;
  opened_at: number;
  due_at: number | null;
  answered_at: number | null;
  closed_at: number | null;
}

/** All data of one account except its invitees. Times in ms since 1970. */
export interface PersonFacts {
  account: AccountRow | null;
  attempts: AttemptRow[];
  subscriptions: SubscriptionRow[];
  changes: PlanChangeRow[];
  ledger: StoredLedgerRow[];
  disputes: DisputeRow[];
  invitations: { created_at: number }[];
  links: { purpose: string; created_at: number; used_at: number | null }[];
  audit: AuditedRow[];
}

export const loadPersonFacts = (env: Env, account: AccountId): Promise<PersonFacts> =>
  personFacts(accountDatabase(env, account), account, env.DB);

/** @param operators the database of audit and disputes */
export async function personFacts(
  db: D1Database,
  account: AccountId,
  operators: D1Database = db,
): Promise<PersonFacts> {
  const queries = [
    `SELECT email, name, country, language, experiment, arm, arms, created_at, verified_at
     FROM accounts WHERE id = ?`,
    `SELECT id, slot, plan, gateway, amount, coupon, state, decline_code, opened_at,
       terms
     FROM attempts WHERE account_id = ?`,
    `SELECT attempt_id, plan, gateway, status, paid_until, cancel_at_period_end
     FROM subscriptions WHERE account_id = ?`,
    `SELECT id, attempt_id, kind, amount, tax, currency, payment_id, gateway, occurred_at, refund_key
     FROM ledger WHERE account_id = ?`,
    'SELECT created_at FROM invitations WHERE account_id = ?',
    'SELECT purpose, created_at, used_at FROM one_time_codes WHERE account_id = ?',
    `SELECT kind, plan, amount, currency, state, payment_id, opened_at
     FROM plan_changes WHERE account_id = ?`,
  ];
  const found = await db.batch(queries.map((sql) => db.prepare(sql).bind(account)));
  const rows = <Row>(at: number) => (found[at]?.results ?? []) as Row[];
  const ledger = rows<StoredLedgerRow>(3);
  const attempts = rows<AttemptRow>(1);
  const targets = [
    account,
    ...attempts.map(({ id }) => id),
    ...ledger.map(({ payment_id }) => payment_id),
  ];
  const disputes = await operators
    .prepare(
      `SELECT payment_id, gateway, amount, currency, reason, state, opened_at, due_at, answered_at, closed_at
       FROM disputes WHERE payment_id IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(ledger.map(({ payment_id }) => payment_id)))
    .all<DisputeRow>();
  const audit = await operators
    .prepare(
      `SELECT operator, action, target, details, reason, result, started_at FROM audit
       WHERE target IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify([...new Set<string>(targets)]))
    .all<AuditedRow>();
  return {
    account: rows<AccountRow>(0)[0] ?? null,
    attempts,
    subscriptions: rows<SubscriptionRow>(2),
    changes: rows<PlanChangeRow>(6),
    ledger,
    disputes: disputes.results,
    invitations: rows<{ created_at: number }>(4),
    links: rows<PersonFacts['links'][number]>(5),
    audit: audit.results,
  };
}
