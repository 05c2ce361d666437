import { env } from 'cloudflare:test';
import { everyAccountDatabase } from '../../worker/http/account-databases.ts';
import { numberInId } from '../../worker/http/rules/database-number.ts';

/** Numbers of the databases with such rows. */
export async function placesOf(table: string, column: string, value: string): Promise<number[]> {
  const counts = await Promise.all(
    everyAccountDatabase(env).map((db) =>
      db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(value).first('n'),
    ),
  );
  return counts.flatMap((count, number) => (count === 0 ? [] : [number]));
}

const tables = {
  accounts: 'id',
  one_time_codes: 'account_id',
  manual_codes: 'account_id',
  attempts: 'account_id',
  subscriptions: 'account_id',
  ledger: 'account_id',
  plan_changes: 'account_id',
  failed_renewals: 'account_id',
  entitlements: 'account_id',
  invitations: 'account_id',
  invitation_codes: 'account_id',
} as const;

/** Tables with rows of an account, and whether all of these rows are in the account's own database. */
export async function rowsOf(account: string): Promise<{ tables: string[]; strays: string[] }> {
  const own = numberInId(account);
  const found = await Promise.all(
    Object.entries(tables).map(async ([table, column]) => ({
      table,
      places: await placesOf(table, column, account),
    })),
  );
  return {
    tables: found.flatMap(({ table, places }) => (places.length > 0 ? [table] : [])),
    strays: found.flatMap(({ table, places }) =>
      places.filter((number) => number !== own).map((number) => `${table} in ${number}`),
    ),
  };
}
