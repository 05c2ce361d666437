import { codeOf } from './cards.ts';
import { codeOfAmount, refundedAmount, statusOf, textOf } from './refunds.ts';
import {
  type CardView,
  currencyOf,
  Invalid,
  newId,
  type Sandbox,
  type ThreeDSecure,
  type Transaction,
} from './state.ts';

import { consumeNonce, vault } from './vault.ts';

/** The money captured by one transaction. */
export interface BraintreeCapture {
  transaction: string;
  /** Minor units, as charged. */
  amount: number;
  /** Minor units; the full amount if it was voided. */
  refunded: number;
  currency: string;
  customer: string | null;
  /** The attempt; null for a renewal. */
  orderId: string | null;
  /** The renewed subscription. */
  subscription: string | null;
}

const capturedStatuses = new Set(['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED', 'VOIDED']);

/** Every captured transaction, oldest first, voided ones included. */
export function braintreeCaptures(sandbox: Pick<Sandbox, 'state'>): BraintreeCapture[] {
  return Object.values(sandbox.state.transactions)
    .filter(({ status }) => capturedStatuses.has(status))
    .map(({ id, status, amount, currency, customer, orderId, subscription }) => ({
      transaction: id,
      amount,
      refunded: status === 'VOIDED' ? amount : refundedAmount(sandbox, id),
      currency,
      customer,
      orderId,
      subscription,
    }));
}

interface SaleInput {
  nonce: string | null;
  token: string | null;
  /** Minor units. */
  amount: number;
  merchantAccount: string;
  orderId: string | null;
  customer: string | null;
  vaultOnSuccess: boolean;
  deviceData?: string;
  /** Minor units. */
  tax?: number | null;
  subscription?: string;
}

/** Whether the merchant's duplicate checking refuses this sale because of a recent equal one. */
const isDuplicate = ({ state, now, duplicateWindow }: Sandbox, input: SaleInput, card: CardView) =>
  Object.values(state.transactions).some(
    (sale) =>
      now() - sale.createdAt < duplicateWindow &&
      capturedStatuses.has(sale.status) &&
      sale.amount === input.amount &&
      sale.orderId === input.orderId &&
      sale.subscription === (input.subscription ?? null) &&
      sale.card.test === card.test,
  );
/** Only a card whose verification failed is refused. */
function rejectionOf(card: CardView, info: ThreeDSecure | null) {
  if (codeOf(card) === 'fraud') return 'FRAUD';
  const passable = info?.liabilityShifted || /^lookup_bypassed/.test(info?.status ?? '');
  return info && !passable ? 'THREE_D_SECURE' : null;
}

/** Charges a nonce or a vaulted method; creates a transaction in any case. */
export function sell(sandbox: Sandbox, input: SaleInput): Transaction {
  const { state, now, declines } = sandbox;
  if (!(input.amount > 0))
    throw new Invalid('81531', 'amount', 'Amount must be greater than zero.');
  const method = input.token ? state.methods[input.token] : undefined;
  if (input.token && !method) {
    throw new Invalid('91518', 'paymentMethodId', 'Payment method token is invalid.');
  }
  const customer = input.customer ?? method?.customer ?? null;
  if (customer && !state.customers[customer]) {
    throw new Invalid('91510', 'customerId', 'Customer ID is invalid.');
  }
  const nonce = input.nonce ? consumeNonce(sandbox, input.nonce) : undefined;
  const card = method?.card ?? nonce?.card;
  if (!card) throw new Invalid('91508', 'paymentMethodId', 'Cannot determine payment method.');
  const rejection = isDuplicate(sandbox, input, card)
    ? 'DUPLICATE'
    : rejectionOf(card, nonce?.threeDSecure ?? null);
  const token = input.token ?? nonce?.token ?? null;
  const code =
    (token ? declines.get(token) : undefined) ??
    codeOf(card) ??
    // A payer whom the bank has verified is not challenged again.
    (nonce?.threeDSecure?.liabilityShifted
      ? undefined
      : codeOfAmount(input.amount, currencyOf(input.merchantAccount))) ??
    '1000';
  const status = rejection ? 'GATEWAY_REJECTED' : statusOf(code);
  const paid = status === 'SUBMITTED_FOR_SETTLEMENT';
  const stored =
    paid && !token && input.vaultOnSuccess && customer
      ? vault(sandbox, customer, card).token
      : token;
  const transaction: Transaction = {
    id: newId(),
    status,
    amount: input.amount,
    currency: currencyOf(input.merchantAccount),
    orderId: input.orderId,
    customer,
    token: stored,
    subscription: input.subscription ?? null,
    card,
    deviceData: input.deviceData ?? null,
    tax: input.tax ?? null,
    processorCode: rejection ? '' : code,
    processorText: rejection ? '' : textOf(code),
    rejection,
    createdAt: now(),
  };
  state.transactions[transaction.id] = transaction;
  return transaction;
}
