import {
  type CardView,
  type Customer,
  decimal,
  globalId,
  type Method,
  type Nonce,
  type Refund,
  type Sandbox,
  type Transaction,
} from '../state.ts';

import type { Source } from './execute.ts';

const money = (minor: number, currency: string) => ({
  __typename: 'MonetaryAmount',
  value: decimal(minor),
  currencyCode: currency,
  currencyIsoCode: currency,
});
const stamp = (at: number) => new Date(at).toISOString();

export const detailsOf = (card: CardView): Source =>
  card.kind === 'paypal'
    ? { __typename: 'PayPalAccountDetails', email: 'payer@example.com' }
    : {
        __typename: 'CreditCardDetails',
        bin: card.bin,
        brandCode: card.brand,
        last4: card.last4,
        cardholderName: null,
        expirationMonth: card.expiration.split('/')[0],
        expirationYear: card.expiration.split('/')[1],
        binData: {
          __typename: 'BinRecord',
          ...Object.fromEntries(
            [
              'prepaid healthcare debit durbinRegulated commercial payroll business consumer',
              'purchase corporate',
            ]
              .flatMap((names) => names.split(' '))
              .map((name) => [name, 'UNKNOWN']),
          ),
          issuingBank: null,
          productId: null,
          countryOfIssuance: card.country,
        },
      };

export const customerView = ({ id, email, createdAt }: Customer): Source => ({
  __typename: 'Customer',
  id: globalId('customer', id),
  legacyId: id,
  email,
  createdAt: stamp(createdAt),
});

export const methodView = ({ token, card, createdAt }: Method): Source => ({
  __typename: 'PaymentMethod',
  id: globalId('paymentmethod', token),
  legacyId: token,
  usage: 'MULTI_USE',
  createdAt: stamp(createdAt),
  details: detailsOf(card),
});

export const nonceView = ({ nonce, card }: Nonce): Source => ({
  __typename: 'PaymentMethod',
  id: nonce,
  legacyId: null,
  usage: 'SINGLE_USE',
  details: detailsOf(card),
});

export function refundView(
  { state }: Sandbox,
  { id, amount, orderId, transaction, createdAt }: Refund,
): Source {
  return {
    __typename: 'Refund',
    id: globalId('refund', id),
    legacyId: id,
    orderId,
    status: 'SUBMITTED_FOR_SETTLEMENT',
    amount: money(amount, state.transactions[transaction]?.currency ?? 'USD'),
    createdAt: stamp(createdAt),
  };
}

const events: Record<string, string> = {
  SUBMITTED_FOR_SETTLEMENT: 'SubmittedForSettlementEvent',
  PROCESSOR_DECLINED: 'ProcessorDeclinedEvent',
  GATEWAY_REJECTED: 'GatewayRejectedEvent',
  FAILED: 'FailedEvent',
  VOIDED: 'VoidedEvent',
  SETTLED: 'SettledEvent',
};

export function saleView(sandbox: Sandbox, sale: Transaction): Source {
  const { state } = sandbox;
  const customer = sale.customer ? state.customers[sale.customer] : undefined;
  const method = sale.token ? state.methods[sale.token] : undefined;
  return {
    __typename: 'Transaction',
    id: globalId('transaction', sale.id),
    legacyId: sale.id,
    createdAt: stamp(sale.createdAt),
    orderId: sale.orderId,
    status: sale.status,
    amount: money(sale.amount, sale.currency),
    customer: customer ? customerView(customer) : null,
    paymentMethod: method ? methodView(method) : null,
    processorResponse: {
      __typename: 'TransactionAuthorizationProcessorResponse',
      legacyCode: sale.processorCode || null,
      message: sale.processorText || null,
    },
    statusHistory: [
      {
        __typename: events[sale.status] ?? 'PaymentStatusEvent',
        status: sale.status,
        gatewayRejectionReason: sale.rejection,
      },
    ],
    refunds: Object.values(state.refunds)
      .filter(({ transaction }) => transaction === sale.id)
      .map((refund) => refundView(sandbox, refund)),
  };
}
