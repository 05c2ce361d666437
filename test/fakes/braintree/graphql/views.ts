import { decimal } from '../../../../locales/format/currency.ts';
import { globalId, type Refund, type Sandbox, type Transaction } from '../state.ts';

import type { Source } from './execute.ts';

const money = (minor: number, currency: string) => ({
  __typename: 'MonetaryAmount',
  value: decimal(minor, currency),
});

export const refundView = ({ id, amount, orderId }: Refund, currency: string): Source => ({
  __typename: 'Refund',
  id: globalId('refund', id),
  orderId,
  status: 'SUBMITTED_FOR_SETTLEMENT',
  amount: money(amount, currency),
});

const idsOf = (__typename: string, id: string): Source => ({
  __typename,
  id: globalId(__typename.toLowerCase(), id),
  legacyId: id,
});

export const saleView = ({ state }: Sandbox, sale: Transaction): Source => ({
  ...idsOf('Transaction', sale.id),
  orderId: sale.orderId,
  status: sale.status,
  amount: { ...money(sale.amount, sale.currency), currencyCode: sale.currency },
  customer: sale.customer ? idsOf('Customer', sale.customer) : null,
  paymentMethod: sale.token ? idsOf('PaymentMethod', sale.token) : null,
  processorResponse: {
    __typename: 'TransactionAuthorizationProcessorResponse',
    legacyCode: sale.processorCode || null,
    message: sale.processorText || null,
  },
  statusHistory: [
    {
      __typename: sale.rejection ? 'GatewayRejectedEvent' : 'PaymentStatusEvent',
      gatewayRejectionReason: sale.rejection,
    },
  ],
  refunds: Object.values(state.refunds)
    .filter(({ transaction }) => transaction === sale.id)
    .map((refund) => refundView(refund, sale.currency)),
});
