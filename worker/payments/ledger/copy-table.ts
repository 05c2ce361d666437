import type { D1Database } from '@cloudflare/workers-types';
import { typedKeys } from '../../platform/keys.ts';
import type { AccountId } from '../../platform/types.ts';
import { type CopiedRow, copiedTables, nameOf } from './rules/copied-rows.ts';

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

export async function storedRows(db: D1Database, account: AccountId): Promise<CopiedRow[]> {
  const tables = typedKeys(copiedTables);
  const found = await db.batch<CopiedRow['row']>(
    tables.map((table) => db.prepare(`SELECT * FROM ${table} WHERE account_id = ?`).bind(account)),
  );
  return tables.flatMap((table, at) => (found[at]?.results ?? []).map((row) => ({ table, row })));
}

/**
 * Deletes the account's rows that its object does not have, and those with a larger version, which would refuse the
 * object's. @param ownRows is called after D1 was read, so a row that the object wrote meanwhile is not newer.
 */
export async function deleteForeignRows(
  db: D1Database,
  account: AccountId,
  ownRows: () => readonly CopiedRow[],
): Promise<void> {
  const stored = await storedRows(db, account);
  const versions = new Map(ownRows().map((row) => [nameOf(row), row.row.version ?? 0]));
  const isOwn = (one: CopiedRow) => (one.row.version ?? 0) <= (versions.get(nameOf(one)) ?? -1);
  const deletions = stored
    .filter((one) => !isOwn(one))
    .map(({ table, row }) => {
      const names = ['account_id', ...copiedTables[table].key];
      return db
        .prepare(`DELETE FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(' AND ')}`)
        .bind(...names.map((name) => row[name]));
    });
  if (deletions.length > 0) await db.batch(deletions);
}
