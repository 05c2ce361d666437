import type { D1Database } from '@cloudflare/workers-types';
import type { Env } from '../../env.ts';
import { accountDatabase, databaseAt, numbersFor } from '../../storage/account-databases.ts';
import { type DatabaseNumber, numberInId } from '../../storage/rules/database-number.ts';
import type { AccountId, PaymentId } from '../../types.ts';
import { accountOfPayment, type PaymentRef, payerOf } from './purchase-lookup.ts';
import type { Change } from './purchase-projection.ts';

const keyOf = (id: string) => `payer:${id}`;

export const insertPayer = (db: D1Database, id: string, account: AccountId) =>
  db
    .prepare('INSERT INTO payers (id, account_id) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .bind(id, account);

interface Payer {
  id: string;
  account: AccountId;
}

export async function selectPayers(db: D1Database, ids: readonly string[]): Promise<Payer[]> {
  const found = db.prepare(
    'SELECT id, account_id AS account FROM payers WHERE id IN (SELECT value FROM json_each(?))',
  );
  return (await found.bind(JSON.stringify(ids)).all<Payer>()).results;
}

/** Ids that a provider's message may contain without our account id. */
function payerIdsOf(change: Change): Payer[] {
  if (change.kind === 'subscription') {
    const { customerId: id } = change.subscription;
    return id ? [{ id, account: change.account }] : [];
  }
  if (change.kind !== 'movement' || change.row.kind !== 'capture') return [];
  return [{ id: change.row.paymentId, account: change.row.account }];
}

/** Stores the account of these customers and payments; for an account in `DB` its tables have it. Idempotent. */
export async function recordPayers(env: Env, changes: readonly Change[]): Promise<void> {
  const recorded = changes.flatMap(payerIdsOf).filter(({ account }) => numberInId(account) > 0);
  for (const { id, account } of recorded) {
    const [newest = 0] = await numbersFor(env, keyOf(id));
    await insertPayer(databaseAt(env, newest), id, account).run();
  }
}

/** Asks each database once, because D1 allows an invocation 1,000 queries. */
async function recordedPayers(env: Env, ids: readonly string[]): Promise<Map<string, AccountId>> {
  const places = await Promise.all(
    ids.map(async (id) =>
      (await numbersFor(env, keyOf(id))).flatMap((number) =>
        // `DB` has no such rows.
        number > 0 ? [{ id, number }] : [],
      ),
    ),
  );
  const found = await Promise.all(
    [...Map.groupBy(places.flat(), ({ number }) => number)].map(([number, own]) =>
      selectPayers(
        databaseAt(env, number),
        own.map(({ id }) => id),
      ),
    ),
  );
  return new Map(found.flat().map(({ id, account }) => [id, account]));
}

const given = (ids: readonly (string | null)[]) => ids.flatMap((id) => id || []);

async function recordedPayer(env: Env, ids: readonly (string | null)[]): Promise<AccountId | null> {
  const recorded = await recordedPayers(env, given(ids));
  return ids.map((id) => recorded.get(id ?? '')).find(Boolean) ?? null;
}

const numberIn = (ids: readonly (string | null)[]): DatabaseNumber =>
  ids.map((id) => numberInId(id ?? '')).find((number) => number > 0) ?? 0;

/** Finds the account of a provider's message without asking every database. */
export async function findPayer(env: Env, ref: PaymentRef): Promise<AccountId | null> {
  const { attempt, subscriptionId, customerId, paymentId } = ref;
  const number = numberIn([attempt, subscriptionId]);
  const known =
    number > 0
      ? await accountOfPayment(databaseAt(env, number), ref)
      : await recordedPayer(env, [customerId, paymentId]);
  return known ?? accountOfPayment(env.DB, ref);
}

export async function findPayerOf(env: Env, payment: PaymentId): Promise<AccountId | null> {
  const recorded = await recordedPayer(env, [payment]);
  // A customer may be stored under the same hash, so the ledger decides.
  return payerOf(recorded ? accountDatabase(env, recorded) : env.DB, payment);
}

/** The database of the account of each of a provider's movements; 0 if unknown. */
export async function payerNumbers(
  env: Env,
  refs: readonly (PaymentRef & { account: AccountId | null })[],
): Promise<DatabaseNumber[]> {
  const known = refs.map(({ account, attempt, subscriptionId }) =>
    numberIn([account, attempt, subscriptionId]),
  );
  const ids = refs.flatMap(({ paymentId, customerId }, at) =>
    known[at] === 0 ? given([paymentId, customerId]) : [],
  );
  const recorded = await recordedPayers(env, ids);
  return refs.map(
    ({ paymentId, customerId }, at) =>
      known[at] ||
      numberInId(recorded.get(paymentId ?? '') ?? recorded.get(customerId ?? '') ?? ''),
  );
}
