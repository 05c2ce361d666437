import { decimal } from '../../../../locales/format/currency.ts';
import {
  type CardView,
  type Customer,
  currencyOf,
  type Dispute,
  globalId,
  type Method,
  type Nonce,
  type Sandbox,
  type Subscription,
  type Transaction,
} from '../state.ts';

import { discountFields, nextAmount } from '../subscriptions.ts';
import type { Items } from './routes.ts';

const brands: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'MasterCard',
  AMERICAN_EXPRESS: 'American Express',
  DISCOVER: 'Discover',
};
const day = 24 * 60 * 60_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

const cardFields = (card: CardView, token: string | null) => ({
  token,
  bin: card.bin,
  'last-4': card.last4,
  'card-type': brands[card.brand] ?? '',
});

/** Names of a transaction's method by kind: its element, and its name in the SDKs. */
const kinds = {
  card: ['credit-card', 'credit_card'],
  paypal: ['paypal', 'paypal_account'],
  apple_pay: ['apple-pay', 'apple_pay_card'],
  google_pay: ['android-pay-card', 'android_pay_card'],
} as const;

const methodElements = {
  card: 'credit-card',
  paypal: 'paypal-account',
  apple_pay: 'apple-pay-card',
  google_pay: 'android-pay-card',
} as const;

/** A payment method of the vault, in the element of its kind. */
export function methodFields({ token, card, customer, isDefault }: Method): [string, object] {
  const common = {
    token,
    'global-id': globalId('paymentmethod', token),
    'customer-id': customer,
    default: isDefault ?? false,
  };
  if (card.kind === 'paypal')
    return [methodElements.paypal, { ...common, email: 'payer@example.com' }];
  const [month = '', year = ''] = card.expiration.split('/');
  const digits = card.kind === 'google_pay' ? 'virtual-card-last-4' : 'last-4';
  const shown = { ...common, ...cardFields(card, token), [digits]: card.last4 };
  const expiry = {
    'expiration-month': month,
    'expiration-year': year.length === 2 ? `20${year}` : year,
  };
  return [methodElements[card.kind], { ...shown, ...expiry }];
}

function instrument({ card, token }: Transaction) {
  const [element, type] = kinds[card.kind];
  return { 'payment-instrument-type': type, [element]: cardFields(card, token) };
}

export const customerFields = ({ state }: Sandbox, customer: Customer) => ({
  id: customer.id,
  'global-id': globalId('customer', customer.id),
  email: customer.email,
  'created-at': new Date(customer.createdAt),
  'credit-cards': {
    item: 'credit-card',
    list: Object.values(state.methods)
      .filter(({ customer: owner }) => owner === customer.id)
      .map(({ card, token }) => cardFields(card, token)),
  },
});

const ofSale = (dispute: Dispute) => ({
  id: dispute.id,
  'amount-disputed': decimal(dispute.amount, dispute.currency),
  amount: decimal(dispute.amount, dispute.currency),
  status: dispute.status,
  kind: dispute.kind,
  reason: 'fraud',
  'currency-iso-code': dispute.currency,
  'received-date': dayOf(dispute.createdAt),
  // developer.paypal.com/braintree/docs/reference/response/dispute: "reply_by_date" is a date.
  'reply-by-date': dayOf(dispute.createdAt + 10 * day),
  'created-at': new Date(dispute.createdAt),
});

const ids = (list: string[]): Items => ({ item: 'item', list: list as unknown as object[] });

export const saleFields = ({ state }: Pick<Sandbox, 'state'>, sale: Transaction) => ({
  id: sale.id,
  'global-id': globalId('transaction', sale.id),
  type: 'sale',
  status: sale.status.toLowerCase(),
  amount: decimal(sale.amount, sale.currency),
  'currency-iso-code': sale.currency,
  'tax-amount': (sale.tax ?? null) === null ? null : decimal(sale.tax ?? 0, sale.currency),
  'order-id': sale.orderId,
  'subscription-id': sale.subscription,
  'created-at': new Date(sale.createdAt),
  customer: {
    id: sale.customer,
    'global-id': sale.customer && globalId('customer', sale.customer),
  },
  ...instrument(sale),
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

const renewed = (state: Sandbox['state'], { id }: Subscription) =>
  Object.values(state.transactions).some(
    ({ subscription, status }) => subscription === id && status.startsWith('S'),
  );

/**
 * No document says how many transactions a subscription lists
 * (developer.paypal.com/braintree/docs/reference/response/subscription). A client has to work with the newest ones.
 */
const listedTransactions = 20;

export const subscriptionFields = (sandbox: Sandbox, one: Subscription) => ({
  id: one.id,
  'plan-id': one.planId,
  'payment-method-token': one.token,
  'merchant-account-id': one.merchantAccount,
  price: decimal(one.price, currencyOf(one.merchantAccount)),
  status: one.status,
  'trial-period': one.status !== 'Pending',
  'created-at': new Date(one.createdAt),
  'first-billing-date': dayOf(one.firstBillingAt),
  'next-billing-date': dayOf(one.nextBillingAt),
  // During the trial nothing is paid; later this is the last day before the next bill.
  'paid-through-date': renewed(sandbox.state, one) ? dayOf(one.paidThroughAt - day) : null,
  'failure-count': one.failures,
  balance: decimal(one.balance ?? 0, currencyOf(one.merchantAccount)),
  discounts: {
    item: 'discount',
    list: (one.discounts ?? []).map((discount) =>
      discountFields(discount, currencyOf(one.merchantAccount)),
    ),
  },
  'next-billing-period-amount': decimal(nextAmount(sandbox, one), currencyOf(one.merchantAccount)),
  transactions: {
    item: 'transaction',
    list: Object.values(sandbox.state.transactions)
      .filter(({ subscription }) => subscription === one.id)
      .reverse()
      .slice(0, listedTransactions)
      .map((sale) => saleFields(sandbox, sale)),
  },
});

export const disputeFields = ({ state }: Sandbox, dispute: Dispute) => ({
  ...ofSale(dispute),
  transaction: {
    id: dispute.transaction,
    amount: decimal(state.transactions[dispute.transaction]?.amount ?? 0, dispute.currency),
    'order-id': state.transactions[dispute.transaction]?.orderId,
  },
});

const nonceTypes: Record<CardView['kind'], string> = {
  card: 'CreditCard',
  paypal: 'PayPalAccount',
  apple_pay: 'ApplePayCard',
  google_pay: 'AndroidPayCard',
};

/** @param card with its kind, as both interfaces display a nonce */
export const nonceFields = ({ nonce, card, consumed, threeDSecure }: Nonce) => ({
  nonce,
  type: nonceTypes[card.kind],
  consumed,
  details: {
    'last-four': card.last4,
    bin: card.bin,
    // As the SDKs read a nonce's details: lib/braintree/payment_method_nonce_details.rb.
    'expiration-month': card.expiration.split('/')[0] ?? '',
    'expiration-year': card.expiration.split('/')[1] ?? '',
    'payer-info':
      card.kind === 'paypal' ? { email: 'payer@example.com', 'payer-id': 'FAKEPAYER' } : null,
    'is-network-tokenized': card.tokenized ?? null,
  },
  'bin-data': { 'country-of-issuance': card.country || 'Unknown' },
  'three-d-secure-info': threeDSecure && {
    status: threeDSecure.status,
    'liability-shifted': threeDSecure.liabilityShifted,
  },
});
