import { decimal } from '../../../catalog/plans.ts';
import type { RefundRequest } from '../../rules/gateway.ts';
import { BraintreeAmbiguousError, graphql } from './client.ts';
import type { Account } from './credentials.ts';
import { goodRefunds, minorUnits } from './outcome.ts';
import { reverse, saleBy } from './sale.ts';

export type RefundResult = 'refunded' | 'voided' | 'later' | { refused: string };

const mutation = `mutation Refund($input: RefundTransactionInput!) {
  refundTransaction(input: $input) { refund { id status } }
}`;
const settledStatuses = new Set(['SETTLED', 'SETTLING', 'SETTLEMENT_CONFIRMED']);
const failedStatuses = new Set(['FAILED', 'PROCESSOR_DECLINED']);
/** A refund whose reply was lost has been executed by then, and is listed with its transaction. */
const retryAfterMs = 5 * 60_000;

/**
 * A refund has its key as order id, so that a retry finds it, however late. @param amount minor units
 * @throws {BraintreeAmbiguousError} while an earlier refund may still be under way
 */
export async function refund(
  account: Account,
  transactionId: string,
  amount: number,
  { key, sentAt, markSent }: RefundRequest,
): Promise<RefundResult> {
  const sale = await saleBy(account, transactionId);
  if (!sale) return { refused: 'unknown transaction' };
  if (sale.status === 'VOIDED') return 'voided';
  if (!settledStatuses.has(sale.status)) {
    if (amount < minorUnits(sale.amount.value)) return 'later';
    const reply = await reverse(account, sale);
    return reply.kind === 'done' ? 'voided' : { refused: reply.codes.join(' ') };
  }
  if (goodRefunds(sale).some(({ orderId }) => orderId === key)) return 'refunded';
  if (Date.now() - (sentAt ?? 0) < retryAfterMs) {
    throw new BraintreeAmbiguousError('refund under way');
  }
  markSent();
  const input = { transactionId: sale.id, refund: { amount: decimal(amount), orderId: key } };
  const reply = await graphql<{ refundTransaction: { refund: { status: string } | null } }>(
    account,
    mutation,
    { input },
    'once',
  );
  if (reply.kind === 'refused') return { refused: reply.codes.join(' ') };
  const { refund: made } = reply.data.refundTransaction;
  if (!made) throw new BraintreeAmbiguousError('no refund');
  return failedStatuses.has(made.status) ? { refused: made.status } : 'refunded';
}
