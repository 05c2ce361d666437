import type { Plan } from '../../../catalog/plans.ts';
import type { GatewayOutcome } from '../../rules/attempt.ts';
import type { ChargeRequest } from '../../rules/gateway.ts';

/** A transaction, as far as we ask for it. Amounts are decimal strings. */
export interface Sale {
  id: string;
  legacyId: string;
  orderId: string | null;
  status: string;
  amount: { value: string; currencyCode: string };
  customer: { id: string } | null;
  /** The vaulted method. */
  paymentMethod: { id: string; legacyId: string } | null;
  processorResponse: { legacyCode: string | null; message: string | null } | null;
  statusHistory: { gatewayRejectionReason?: string }[];
  refunds: { orderId: string | null; amount: { value: string }; status: string }[];
}

/**
 * What a sale says; `paid` still needs the rest of the purchase, `asks` a verified card; what is
 * `gone` was paid, and given back whole.
 */
export type Verdict =
  | Exclude<GatewayOutcome, { kind: 'challenge' }>
  | { kind: 'paid' }
  | { kind: 'asks' }
  | { kind: 'gone'; reason: string };

export const minorUnits = (amount: string): number => Math.round(Number(amount) * 100);

const captured = new Set([
  'SUBMITTED_FOR_SETTLEMENT',
  'SETTLING',
  'SETTLEMENT_CONFIRMED',
  'SETTLEMENT_PENDING',
  'SETTLED',
]);

const names: Record<string, string> = {
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
/** What a thief must not learn: lost, stolen, suspected, picked up, restricted, security. */
const silent = new Set(['2012', '2013', '2014', '2019', '2020', '2021', '2044', '2047', '2053']);
const asking = '2099';

export const authenticationFailed: GatewayOutcome = {
  kind: 'declined',
  declineCode: 'authentication_failed',
  processorResponse: 'The bank could not confirm the payer',
};

function declined({ processorResponse }: Sale): Verdict {
  const code = processorResponse?.legacyCode ?? '';
  if (silent.has(code)) {
    return { kind: 'declined', declineCode: 'generic_decline', processorResponse: 'Declined' };
  }
  return {
    kind: 'declined',
    declineCode: names[code] ?? 'generic_decline',
    processorResponse: processorResponse?.message ?? '',
  };
}

function rejectedByGateway({ statusHistory }: Sale): Verdict {
  const reason = statusHistory.find(
    (event) => event.gatewayRejectionReason,
  )?.gatewayRejectionReason;
  if (reason === 'THREE_D_SECURE') return { kind: 'asks' };
  // It says that a sale of this order was paid already: that one is still to be found.
  if (reason === 'DUPLICATE') return { kind: 'unknown' };
  if (reason === 'CVV') {
    return { kind: 'declined', declineCode: 'incorrect_cvc', processorResponse: 'CVV' };
  }
  return { kind: 'declined', declineCode: 'generic_decline', processorResponse: 'Declined' };
}

/** Refunds that gave money back, or will. */
export const goodRefunds = ({ refunds }: Sale) =>
  refunds.filter(({ status }) => status !== 'PROCESSOR_DECLINED' && status !== 'FAILED');

const givenBack = (sale: Sale) =>
  goodRefunds(sale).reduce((sum, { amount }) => sum + minorUnits(amount.value), 0);

/** Whether nothing of a sale is left. */
export const isGivenBack = (sale: Sale): boolean =>
  sale.status === 'VOIDED' || givenBack(sale) >= minorUnits(sale.amount.value);

/**
 * What a transaction says of its attempt. One of another customer, sum, currency or order is never
 * taken for the attempt's.
 */
export function verdictOf(sale: Sale, { attempt, customerId }: ChargeRequest, plan: Plan): Verdict {
  const { amount, orderId, customer, status } = sale;
  const ours =
    orderId === attempt.id &&
    customer?.id === customerId &&
    minorUnits(amount.value) === attempt.amount &&
    amount.currencyCode === plan.currency;
  if (!ours) {
    const kept = captured.has(status) ? minorUnits(amount.value) - givenBack(sale) : 0;
    const taken = kept > 0 ? { taken: { paymentId: sale.legacyId, amount: kept } } : {};
    return { kind: 'rejected', reason: 'foreign transaction', ...taken };
  }
  if (captured.has(status)) {
    return givenBack(sale) < attempt.amount
      ? { kind: 'paid' }
      : { kind: 'gone', reason: 'refunded' };
  }
  switch (status) {
    case 'PROCESSOR_DECLINED':
      return sale.processorResponse?.legacyCode === asking ? { kind: 'asks' } : declined(sale);
    case 'FAILED':
    case 'SETTLEMENT_DECLINED':
      return declined(sale);
    case 'GATEWAY_REJECTED':
      return rejectedByGateway(sale);
    case 'VOIDED':
      return { kind: 'gone', reason: 'voided' };
    default:
      return { kind: 'unknown' };
  }
}
