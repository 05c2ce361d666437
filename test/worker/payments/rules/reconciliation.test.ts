import { expect, test } from 'vitest';
import { entriesOf, sideBySide } from '../../../../worker/payments/rules/reconciliation.ts';

const about = { attempt: 'a', gateway: 'stripe', currency: 'USD' } as const;
const entry = (id: string, amount: number) => ({ id, attempt: 'a', amount });

test('reconciliation: each movement of a statement is an entry with its kind', () => {
  const movement = (id: string, amount: number) => ({ id, paymentId: 'pi', amount, at: 1 });
  const statement = {
    captures: [movement('pi', 3999), movement('pi2', 3999)],
    refunds: [movement('re', 100)],
    disputes: [movement('dp', 50)],
  };
  expect(entriesOf('a', statement)).toEqual([
    entry('capture:pi', 3999),
    entry('capture:pi2', 3999),
    entry('refund:re', 100),
    entry('dispute:dp', 50),
  ]);
});

test('reconciliation: each movement is one line, whichever side has it', () => {
  const ledger = [entry('both', 5), entry('cent', 5), entry('ours', 5)];
  const provider = [entry('theirs', 7), entry('cent', 6), entry('both', 5)];
  const lines = sideBySide(about, ledger, provider);
  expect(lines.map(({ id, ledger, provider }) => [id, ledger, provider])).toEqual([
    ['both', 5, 5],
    ['cent', 5, 6],
    ['ours', 5, null],
    ['theirs', null, 7],
  ]);
  expect(lines[0]).toMatchObject(about);
});
