import type { Sandbox } from './call.ts';
import { Invalid } from './errors.ts';
import { newId, type Refund, type Transaction } from './state.ts';

const settled = new Set(['SETTLED', 'SETTLING']);

/** Minor units. */
export const refundedAmount = ({ state }: Pick<Sandbox, 'state'>, id: string): number =>
  Object.values(state.refunds)
    .filter(({ transaction }) => transaction === id)
    .reduce((sum, { amount }) => sum + amount, 0);

/** @param orderId the transaction's own where it is left out, as Braintree's `RefundInput` says */
export function refund(
  sandbox: Sandbox,
  transaction: Transaction,
  amount?: number,
  orderId = transaction.orderId,
): Refund {
  if (!settled.has(transaction.status)) {
    const text = 'Cannot refund transaction unless it is settled.';
    throw new Invalid('91506', 'transactionId', text);
  }
  const left = transaction.amount - refundedAmount(sandbox, transaction.id);
  if (left === 0) {
    throw new Invalid('91512', 'transactionId', 'Transaction has already been fully refunded.');
  }
  if (amount !== undefined && amount > left) {
    throw new Invalid('91521', 'amount', 'Refund amount is too large.');
  }
  const made: Refund = {
    id: newId(),
    transaction: transaction.id,
    amount: amount ?? left,
    orderId,
    createdAt: sandbox.now(),
  };
  sandbox.state.refunds[made.id] = made;
  return made;
}

export function voidTransaction(transaction: Transaction): Transaction {
  if (!['AUTHORIZED', 'SUBMITTED_FOR_SETTLEMENT'].includes(transaction.status)) {
    const text =
      'Transaction can only be voided if status is authorized or submitted_for_settlement.';
    throw new Invalid('91504', 'transactionId', text);
  }
  transaction.status = 'VOIDED';
  return transaction;
}
