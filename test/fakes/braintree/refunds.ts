import { minorPerUnit } from '../../../locales/format/currency.ts';
import { Invalid, newId, type Refund, type Sandbox, type Transaction } from './state.ts';

/** developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses */
const texts: Record<string, string> = {
  '1000': 'Approved',
  '2000': 'Do Not Honor',
  '2001': 'Insufficient Funds',
  '2002': 'Limit Exceeded',
  '2003': "Cardholder's Activity Limit Exceeded",
  '2004': 'Expired Card',
  '2005': 'Invalid Credit Card Number',
  '2006': 'Invalid Expiration Date',
  '2010': 'Card Issuer Declined CVV',
  '2012': 'Processor Declined - Possible Lost Card',
  '2013': 'Processor Declined - Possible Stolen Card',
  '2014': 'Processor Declined - Fraud Suspected',
  '2015': 'Transaction Not Allowed',
  '2038': 'Processor Declined',
  '2047': 'Call Issuer. Pick Up Card.',
  '2074': 'Funding Instrument In The PayPal Account Was Declined By The Processor Or Bank',
  '2099': 'Cardholder Authentication Required',
  '3000': 'Processor Network Unavailable - Try Again',
};

export const textOf = (code: string): string => texts[code] ?? 'Processor Declined';

/** A transaction's status for a processor response code. */
export function statusOf(code: string): string {
  if (code === '1000') return 'SUBMITTED_FOR_SETTLEMENT';
  return code.startsWith('3') ? 'FAILED' : 'PROCESSOR_DECLINED';
}

/** An amount of 2000.00 to 2999.99 is declined with that code, and 3000.00 fails, in any currency. */
export function codeOfAmount(amount: number, currency: string): string | undefined {
  const whole = Math.floor(amount / minorPerUnit(currency));
  if (whole === 3000) return '3000';
  return whole >= 2000 && whole < 3000 ? String(whole) : undefined;
}

const settled = new Set(['SETTLED', 'SETTLING']);

/** Minor units. */
export const refundedAmount = ({ state }: Pick<Sandbox, 'state'>, id: string): number =>
  Object.values(state.refunds)
    .filter(({ transaction }) => transaction === id)
    .reduce((sum, { amount }) => sum + amount, 0);

/** @param orderId defaults to the transaction's own, as Braintree's `RefundInput` documents */
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
  const newRefund: Refund = {
    id: newId(),
    transaction: transaction.id,
    amount: amount ?? left,
    orderId,
    createdAt: sandbox.now(),
  };
  sandbox.state.refunds[newRefund.id] = newRefund;
  return newRefund;
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
