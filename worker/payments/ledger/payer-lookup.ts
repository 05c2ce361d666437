import type { D1Database } from '@cloudflare/workers-types';
import { accountDatabase, databaseAt, numbersFor } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import { type DatabaseNumber, numberInId } from '../../platform/rules/database-number.ts';
import type { AccountId, PaymentId } from '../../platform/types.ts';
import { accountOfPayment, type PaymentRef, payerOf } from './purchase-lookup.ts';
import type { Change } from './purchase-projection.ts';
import type { CopiedRow, CopyDifference } from './rules/copied-rows.ts';

const keyOf = (id: string) => `payer:${id}`;

export const insertPayer = (
  db: D1Database,
  { id, account }: { id: string; account: AccountId },
  isRepair = false,
) =>
  db
    .prepare(
      `INSERT INTO payers (id, account_id) VALUES (?, ?) ON CONFLICT (id)
       DO ${isRepair ? 'UPDATE SET account_id = excluded.account_id' : 'NOTHING'}`,
    )
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
export async function recordPayers(
  env: Env,
  changes: readonly Change[],
  isRepair: boolean,
): Promise<void> {
  const recorded = changes.flatMap(payerIdsOf).filter(({ account }) => numberInId(account) > 0);
  for (const payer of recorded) {
    const [newest = 0] = await numbersFor(env, keyOf(payer.id));
    await insertPayer(databaseAt(env, newest), payer, isRepair).run();
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

/** The payers in an account's rows that are missing, or that have another account. */
export async function payerDifferences(
  env: Env,
  account: AccountId,
  rows: readonly CopiedRow[],
): Promise<CopyDifference[]> {
  if (numberInId(account) === 0) return [];
  const ids = rows.flatMap(({ table, row }) => {
    if (table === 'subscriptions') return row.customer_id ?? [];
    return table === 'ledger' && row.kind === 'capture' ? (row.payment_id ?? []) : [];
  });
  const named = [...new Set(ids.map(String))];
  const recorded = await recordedPayers(env, named);
  return named.flatMap((id): CopyDifference[] => {
    const known = recorded.get(id);
    if (known === account) return [];
    const difference = { table: 'payers', id } as const;
    return known
      ? [{ ...difference, kind: 'changed', columns: ['account_id'] }]
      : [{ ...difference, kind: 'missing' }];
  });
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
