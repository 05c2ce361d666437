import type { D1Database } from '@cloudflare/workers-types';
import type { AccountId } from '../../platform/types.ts';
import { type CopiedRow, type CopiedTable, copiedTables } from './rules/copied-rows.ts';

/** @param isRepair replaces every column of a row of the same version */
export function putRow(db: D1Database, { table, row }: CopiedRow, isRepair: boolean) {
  const { key, updated, unknown }: Record<string, readonly string[]> = copiedTables[table];
  const names = Object.keys(row);
  const changing = isRepair ? names.filter((name) => !key?.includes(name)) : (updated ?? []);
  const isNewer = `excluded.version ${isRepair ? '>=' : '>'} ${table}.version`;
  const newValue = (name: string) =>
    isRepair && name !== 'version' && unknown?.includes(name)
      ? `iif(excluded.version > ${table}.version, excluded.${name}, ${table}.${name})`
      : `excluded.${name}`;
  const values = changing.map((name) => `${name} = ${newValue(name)}`).join(', ');
  const action = changing.length > 0 ? `UPDATE SET ${values}` : 'NOTHING';
  const condition = changing.length > 0 && 'version' in row ? ` WHERE ${isNewer}` : '';
  const places = names.map(() => '?').join(', ');
  return db
    .prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})
       ON CONFLICT (${key?.join(', ')}) DO ${action}${condition}`,
    )
    .bind(...Object.values(row));
}

/** An account's rows in D1. Failed renewals are found by their attempts, because they have no other index. */
export async function storedRows(
  db: D1Database,
  account: AccountId,
  attempts: readonly unknown[],
): Promise<CopiedRow[]> {
  const tables = Object.keys(copiedTables) as CopiedTable[];
  const found = await db.batch<CopiedRow['row']>(
    tables.map((table) =>
      table === 'failed_renewals'
        ? db
            .prepare(`SELECT * FROM ${table} WHERE attempt_id IN (SELECT value FROM json_each(?))`)
            .bind(JSON.stringify(attempts))
        : db.prepare(`SELECT * FROM ${table} WHERE account_id = ?`).bind(account),
    ),
  );
  return found.flatMap(({ results }, at) =>
    results.map((row) => ({ table: tables[at] as CopiedTable, row })),
  );
}
