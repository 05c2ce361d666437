import { expect, test } from 'vitest';
import { copyDifferences } from '../../../../../worker/payments/ledger/rules/copied-rows.ts';

const change = (version: number) => ({
  table: 'plan_changes' as const,
  row: { id: 'c', state: 'done', version },
});

test('copied rows: a copied plan change may have an older version than the object, not a newer one', () => {
  const differences = (version: number) => copyDifferences([change(2)], [change(version)], []);
  expect(differences(1)).toEqual([]);
  expect(differences(3)).toEqual([
    { table: 'plan_changes', id: 'c', kind: 'changed', columns: ['version'] },
  ]);
});
