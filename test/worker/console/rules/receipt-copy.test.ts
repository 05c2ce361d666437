import { expect, test } from 'vitest';
import type { PersonFacts } from '../../../../worker/console/people/people-table.ts';
import { receiptCopy } from '../../../../worker/console/rules/receipt-copy.ts';
import type { PaymentId } from '../../../../worker/types.ts';

const first = Date.UTC(2026, 9, 1);
const later = Date.UTC(2026, 10, 1);

const row = (payment_id: string, occurred_at: number, kind = 'capture') => ({
  ...{ kind, payment_id, occurred_at, attempt_id: 'a' },
  ...{ amount: 3999, currency: 'USD', tax: null },
});

const facts = {
  attempts: [{ id: 'a', plan: 'monthly_usd', coupon: null, terms: null }],
  subscriptions: [],
  ledger: [row('pi_1', first), row('pi_1', first - 1, 'refund'), row('pi_2', later)],
  changes: [{ payment_id: 'pi_change' }],
} as unknown as PersonFacts;

const copyOf = (payment: string) => receiptCopy(facts, payment as PaymentId, later)?.template;

test('receipt copy: the first payment has a confirmation, a later one a renewal receipt', () => {
  expect([copyOf('pi_1'), copyOf('pi_2')]).toEqual(['purchase_confirmation', 'renewal_receipt']);
});

test('receipt copy: a plan change and an unknown payment have none', () => {
  expect([copyOf('pi_change'), copyOf('pi_3')]).toEqual([undefined, undefined]);
});
