import type { World } from '../call.ts';
import {
  type CardView,
  type Customer,
  type Dispute,
  decimal,
  globalId,
  type Method,
  type Nonce,
  type Subscription,
  type Transaction,
} from '../state.ts';
import type { Items } from './xml.ts';

const brands: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'MasterCard',
  AMERICAN_EXPRESS: 'American Express',
  DISCOVER: 'Discover',
};
const day = 24 * 60 * 60_000;
const none = (item: string): Items => ({ item, list: [] });
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

const binData = ({ country }: CardView) => ({
  commercial: 'Unknown',
  debit: 'Unknown',
  prepaid: 'Unknown',
  'country-of-issuance': country || 'Unknown',
});

const cardFields = (card: CardView, token: string | null) => ({
  token,
  bin: card.bin,
  'last-4': card.last4,
  'card-type': brands[card.brand] ?? '',
  'expiration-month': card.expiration.split('/')[0],
  'expiration-year': card.expiration.split('/')[1],
});

export const methodFields = ({ token, customer, card, createdAt }: Method) => ({
  ...cardFields(card, token),
  'global-id': globalId('paymentmethod', token),
  'customer-id': customer,
  'created-at': new Date(createdAt),
  subscriptions: none('subscription'),
  verifications: none('verification'),
});

export const customerFields = ({ state }: World, customer: Customer) => ({
  id: customer.id,
  'global-id': globalId('customer', customer.id),
  email: customer.email,
  'created-at': new Date(customer.createdAt),
  'credit-cards': {
    item: 'credit-card',
    list: Object.values(state.methods)
      .filter((method) => method.customer === customer.id && method.card.kind === 'card')
      .map(methodFields),
  },
  'paypal-accounts': none('paypal-account'),
  addresses: none('address'),
});

const ofSale = (dispute: Dispute) => ({
  id: dispute.id,
  'amount-disputed': decimal(dispute.amount),
  amount: decimal(dispute.amount),
  status: dispute.status,
  kind: 'chargeback',
  reason: 'fraud',
  'received-date': dayOf(dispute.createdAt),
  'created-at': new Date(dispute.createdAt),
});

const ids = (list: string[]): Items => ({ item: 'item', list: list as unknown as object[] });

export const saleFields = ({ state }: Pick<World, 'state'>, sale: Transaction) => ({
  id: sale.id,
  'global-id': globalId('transaction', sale.id),
  type: 'sale',
  status: sale.status.toLowerCase(),
  amount: decimal(sale.amount),
  'currency-iso-code': sale.currency,
  'order-id': sale.orderId,
  'subscription-id': sale.subscription,
  'created-at': new Date(sale.createdAt),
  customer: { id: sale.customer },
  'credit-card': cardFields(sale.card, sale.token),
  'processor-response-code': sale.processorCode,
  'processor-response-text': sale.processorText,
  'gateway-rejection-reason': sale.rejection?.toLowerCase() ?? null,
  'refund-ids': ids(
    Object.values(state.refunds)
      .filter(({ transaction }) => transaction === sale.id)
      .map(({ id }) => id),
  ),
  disputes: {
    item: 'dispute',
    list: Object.values(state.disputes)
      .filter(({ transaction }) => transaction === sale.id)
      .map(ofSale),
  },
});

const renewed = (state: World['state'], { id }: Subscription) =>
  Object.values(state.transactions).some(
    ({ subscription, status }) => subscription === id && status.startsWith('S'),
  );

export const subscriptionFields = ({ state }: World, one: Subscription) => ({
  id: one.id,
  'plan-id': one.planId,
  'payment-method-token': one.token,
  'merchant-account-id': one.merchantAccount,
  price: decimal(one.price),
  status: one.status,
  'trial-period': true,
  'created-at': new Date(one.createdAt),
  'next-billing-date': dayOf(one.nextBillingAt),
  // In its trial nothing is paid; later the last day before the next bill.
  'paid-through-date': renewed(state, one) ? dayOf(one.paidThroughAt - day) : null,
  'failure-count': one.failures,
  'add-ons': none('add-on'),
  discounts: none('discount'),
  transactions: {
    item: 'transaction',
    list: Object.values(state.transactions)
      .filter(({ subscription }) => subscription === one.id)
      .reverse()

      .map((sale) => saleFields({ state }, sale)),
  },
});

export const disputeFields = ({ state }: World, dispute: Dispute) => ({
  ...ofSale(dispute),
  transaction: {
    id: dispute.transaction,
    amount: decimal(state.transactions[dispute.transaction]?.amount ?? 0),
    'order-id': state.transactions[dispute.transaction]?.orderId,
  },
});

/** @param card with its kind, as both interfaces show a nonce */
export const nonceFields = ({ nonce, card, consumed, threeDSecure }: Nonce) => ({
  nonce,
  type: card.kind === 'paypal' ? 'PayPalAccount' : 'CreditCard',
  consumed,
  default: false,
  description: card.last4 ? `ending in ${card.last4.slice(2)}` : '',
  details: {
    'card-type': brands[card.brand] ?? '',
    'last-two': card.last4.slice(2),
    'last-four': card.last4,
    bin: card.bin,
  },
  'bin-data': binData(card),
  'three-d-secure-info': threeDSecure && {
    status: threeDSecure.status,
    enrolled: 'Y',
    'liability-shifted': threeDSecure.liabilityShifted,
    'liability-shift-possible': threeDSecure.liabilityShiftPossible,
  },
});
