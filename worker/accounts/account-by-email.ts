import { accountDatabase, databasesFor, numbersFor } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { idIn } from '../platform/rules/database-number.ts';
import { type AccountId, accountIdOf } from '../platform/types.ts';
import {
  accountByEmail,
  emailKeyOf,
  insertAccount,
  type KnownAccount,
  type NewAccount,
} from './account-table.ts';

const keyOf = (email: string) => `email:${emailKeyOf(email)}`;

export async function findAccountByEmail(env: Env, email: string): Promise<KnownAccount | null> {
  const databases = await databasesFor(env, keyOf(email));
  const found = await Promise.all(databases.map((db) => accountByEmail(db, email)));
  return found.find((account) => account !== null) ?? null;
}

/** Every request for an e-mail uses the same database, so it gets one account. @returns null when it has one */
export async function createAccount(
  env: Env,
  account: Omit<NewAccount, 'id'>,
  now: number,
): Promise<AccountId | null> {
  const [, ...older] = await databasesFor(env, keyOf(account.email));
  for (const db of older) if (await accountByEmail(db, account.email)) return null;
  const [newest = 0] = await numbersFor(env, keyOf(account.email));
  const id = accountIdOf(idIn(newest, crypto.randomUUID()));
  return (await insertAccount(accountDatabase(env, id), { id, ...account }, now)) ? id : null;
}
