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

export const selectPayer = (db: D1Database, id: string): Promise<AccountId | null> =>
  db.prepare('SELECT account_id FROM payers WHERE id = ?').bind(id).first<AccountId>('account_id');

/** Ids that a provider's message may contain without our account id. */
function payerIdsOf(change: Change): { id: string; account: AccountId }[] {
  if (change.kind === 'subscription') {
    const { customerId: id } = change.subscription;
    return id ? [{ id, account: change.account }] : [];
  }
  if (change.kind !== 'movement' || change.row.kind !== 'capture') return [];
  return [{ id: change.row.paymentId, account: change.row.account }];
}

/** Stores the account of these customers and payments; for an account in `DB` its tables have it. Idempotent. */
export async function recordPayers(env: Env, changes: readonly Change[]): Promise<void> {
  const noted = changes.flatMap(payerIdsOf).filter(({ account }) => numberInId(account) > 0);
  for (const { id, account } of noted) {
    const [newest = 0] = await numbersFor(env, keyOf(id));
    await insertPayer(databaseAt(env, newest), id, account).run();
  }
}

async function recordedPayer(env: Env, ids: readonly (string | null)[]): Promise<AccountId | null> {
  for (const id of ids) {
    if (!id) continue;
    for (const number of await numbersFor(env, keyOf(id))) {
      // `DB` has no such rows.
      const account = number > 0 ? await selectPayer(databaseAt(env, number), id) : null;
      if (account) return account;
    }
  }
  return null;
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
  const noted = await recordedPayer(env, [payment]);
  // A customer may be stored under the same hash, so the ledger decides.
  return payerOf(noted ? accountDatabase(env, noted) : env.DB, payment);
}

/** Database of the account that a provider's movement belongs to; 0 if unknown. */
export async function payerNumber(
  env: Env,
  { account, ...ref }: PaymentRef & { account: AccountId | null },
): Promise<DatabaseNumber> {
  const number = numberIn([account, ref.attempt, ref.subscriptionId]);
  if (number > 0) return number;
  return numberInId((await recordedPayer(env, [ref.paymentId, ref.customerId])) ?? '');
}
