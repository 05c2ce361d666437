type Value = string | number | null;

/**
 * The tables that D1 copies from the accounts' objects. `key` names a row. `updated` are the columns that a later change
 * of it may have. `unknown` are columns that cannot be computed again from the object.
 */
export const copiedTables = {
  attempts: {
    key: ['id'],
    updated: ['gateway', 'state', 'decline_code', 'subscription_id', 'version'],
    unknown: [],
  },
  subscriptions: {
    key: ['attempt_id'],
    updated: ['plan', 'subscription_id', 'status', 'paid_until', 'cancel_at_period_end', 'version'],
    unknown: [],
  },
  // Movements of money are only added.
  ledger: { key: ['id'], updated: [], unknown: [] },
  // The object raises the version also when no column changes.
  plan_changes: { key: ['id'], updated: ['state', 'payment_id', 'version'], unknown: ['version'] },
  failed_renewals: {
    key: ['attempt_id', 'period_ended_at'],
    updated: ['outcome', 'ended_at', 'version'],
    unknown: ['version'],
  },
  // `changed_at` is the time at which the change was noticed.
  entitlements: {
    key: ['account_id'],
    updated: ['version', 'active', 'changed_at'],
    unknown: ['changed_at'],
  },
} as const satisfies Record<string, Record<'key' | 'updated' | 'unknown', readonly string[]>>;

export type CopiedTable = keyof typeof copiedTables;

/** A row as the object would write it. */
export interface CopiedRow {
  table: CopiedTable;
  row: Record<string, Value>;
}

/** A row of D1 that differs: `unknown` to the object, or with other values in these columns. */
export type CopyDifference = { table: CopiedTable | 'payers'; id: string } & (
  | { kind: 'missing' }
  | { kind: 'unknown' }
  | { kind: 'changed'; columns: string[] }
);

const idOf = ({ table, row }: CopiedRow): string =>
  copiedTables[table].key.map((name) => row[name]).join(' ');

export const nameOf = (row: CopiedRow): string => `${row.table} ${idOf(row)}`;

/** @param waiting names of rows whose newest change is still in the object's outbox */
export function copyDifferences(
  expected: readonly CopiedRow[],
  stored: readonly CopiedRow[],
  waiting: readonly string[],
): CopyDifference[] {
  const byName = (rows: readonly CopiedRow[]) =>
    new Map(
      rows.flatMap((row) => (waiting.includes(nameOf(row)) ? [] : [[nameOf(row), row] as const])),
    );
  const known = byName(stored);
  const own = byName(expected);
  const changed = [...own].flatMap(([name, one]): CopyDifference[] => {
    const { table, row } = one;
    const copy = known.get(name)?.row;
    if (!copy) return [{ table, id: idOf(one), kind: 'missing' }];
    const unknown: readonly string[] = copiedTables[table].unknown;
    // A larger version than the object's would refuse every later change.
    const isTooNew = Number(copy.version ?? 0) > Number(row.version ?? 0);
    const columns = Object.keys(row).filter(
      (column) =>
        row[column] !== copy[column] &&
        (!unknown.includes(column) || (column === 'version' && isTooNew)),
    );
    return columns.length > 0 ? [{ table, id: idOf(one), kind: 'changed', columns }] : [];
  });
  const strays = [...known].flatMap(([name, one]): CopyDifference[] =>
    own.has(name) ? [] : [{ table: one.table, id: idOf(one), kind: 'unknown' }],
  );
  return [...changed, ...strays];
}
