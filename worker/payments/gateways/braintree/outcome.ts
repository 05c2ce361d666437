import { minorPerUnit } from '../../../../locales/format/currency.ts';
import type { Plan } from '../../../catalog/rules/plans.ts';
import { add, type Minor, minor, type PaymentId, subtract } from '../../../platform/types.ts';
import type { ChargeRequest } from '../../purchase/gateway.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';

export interface Sale {
  id: string;
  legacyId: PaymentId;
  orderId: string | null;
  status: string;
  amount: { value: string; currencyCode: string };
  customer: { id: string } | null;
  paymentMethod: { id: string; legacyId: string } | null;
  processorResponse: { legacyCode: string | null; message: string | null } | null;
  statusHistory: { gatewayRejectionReason?: string }[];
  refunds: { orderId: string | null; amount: { value: string }; status: string }[];
}

/** `paid`: the subscription is still to be created. `reversed`: paid, and refunded in full. */
export type SaleVerdict =
  | Exclude<GatewayOutcome, { kind: 'challenge' }>
  | { kind: 'paid' }
  | { kind: 'needs_verification' }
  | { kind: 'reversed'; reason: string };

export const minorUnits = (amount: string, currency: string): Minor =>
  minor(Math.round(Number(amount) * minorPerUnit(currency)));

const capturedStatuses = new Set([
  'SUBMITTED_FOR_SETTLEMENT',
  'SETTLING',
  'SETTLEMENT_CONFIRMED',
  'SETTLEMENT_PENDING',
  'SETTLED',
]);

const declineCodes: Record<string, string> = {
  '2001': 'insufficient_funds',
  '2002': 'card_velocity_exceeded',
  '2003': 'card_velocity_exceeded',
  '2004': 'expired_card',
  '2005': 'incorrect_number',
  '2006': 'invalid_expiry',
  '2010': 'incorrect_cvc',
  '2015': 'transaction_not_allowed',
  '2099': 'authentication_required',
};
/** Not disclosed, as a thief could be paying: lost, stolen, suspected, pick-up, restricted, security. */
const undisclosed = new Set([
  '2012',
  '2013',
  '2014',
  '2019',
  '2020',
  '2021',
  '2044',
  '2047',
  '2053',
]);
export const verificationRequired = '2099';

export const authenticationFailed = {
  kind: 'declined',
  declineCode: 'authentication_failed',
  processorResponse: 'The bank could not confirm the payer',
} as const;

/** @param code of the processor's response */
export function declineOf(code: string, message: string) {
  const declineCode = undisclosed.has(code) ? undefined : declineCodes[code];
  const processorResponse = undisclosed.has(code) ? 'Declined' : message;
  return {
    kind: 'declined',
    declineCode: declineCode ?? 'generic_decline',
    processorResponse,
  } as const;
}

const declined = ({ processorResponse }: Sale): SaleVerdict =>
  declineOf(processorResponse?.legacyCode ?? '', processorResponse?.message ?? '');

function rejectedByGateway({ statusHistory }: Sale): SaleVerdict {
  const reason = statusHistory.find(
    (event) => event.gatewayRejectionReason,
  )?.gatewayRejectionReason;
  if (reason === 'THREE_D_SECURE') return { kind: 'needs_verification' };
  // Another sale of this order was paid, which the search has to find.
  if (reason === 'DUPLICATE') return { kind: 'unknown' };
  if (reason === 'CVV') {
    return { kind: 'declined', declineCode: 'incorrect_cvc', processorResponse: 'CVV' };
  }
  return { kind: 'declined', declineCode: 'generic_decline', processorResponse: 'Declined' };
}

export const successfulRefunds = ({ refunds }: Sale) =>
  refunds.filter(({ status }) => status !== 'PROCESSOR_DECLINED' && status !== 'FAILED');

const refundedAmount = (sale: Sale) =>
  successfulRefunds(sale).reduce(
    (sum, { amount }) => add(sum, minorUnits(amount.value, sale.amount.currencyCode)),
    minor(0),
  );

export const amountOf = ({ amount }: Sale): Minor => minorUnits(amount.value, amount.currencyCode);

export const isReversed = (sale: Sale): boolean =>
  sale.status === 'VOIDED' || refundedAmount(sale) >= amountOf(sale);

export function verdictOf(
  sale: Sale,
  { attempt, customerId }: ChargeRequest,
  plan: Plan,
): SaleVerdict {
  const { amount, orderId, customer, status } = sale;
  const ours =
    orderId === attempt.id &&
    customer?.id === customerId &&
    amountOf(sale) === attempt.amount &&
    amount.currencyCode === plan.currency;
  if (!ours) {
    const remaining = capturedStatuses.has(status)
      ? subtract(amountOf(sale), refundedAmount(sale))
      : minor(0);
    const keptCapture =
      remaining > 0 ? { keptCapture: { paymentId: sale.legacyId, amount: remaining } } : {};
    return { kind: 'rejected', reason: 'foreign transaction', ...keptCapture };
  }
  if (capturedStatuses.has(status)) {
    return refundedAmount(sale) < attempt.amount
      ? { kind: 'paid' }
      : { kind: 'reversed', reason: 'refunded' };
  }
  switch (status) {
    case 'PROCESSOR_DECLINED':
      return sale.processorResponse?.legacyCode === verificationRequired
        ? { kind: 'needs_verification' }
        : declined(sale);
    case 'FAILED':
    case 'SETTLEMENT_DECLINED':
      return declined(sale);
    case 'GATEWAY_REJECTED':
      return rejectedByGateway(sale);
    case 'VOIDED':
      return { kind: 'reversed', reason: 'voided' };
    default:
      return { kind: 'unknown' };
  }
}
