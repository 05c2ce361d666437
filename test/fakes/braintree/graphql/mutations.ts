import { cardOf } from '../cards.ts';
import { clientTokenFor, configuration } from '../client-api.ts';
import { refund, voidTransaction } from '../refunds.ts';
import { sell } from '../sale.ts';
import {
  currencyOf,
  globalId,
  Invalid,
  minor,
  NotFound,
  type Sandbox,
  shortId,
  type Transaction,
} from '../state.ts';

import { makeNonce } from '../vault.ts';
import { refundView, saleView } from './views.ts';

function saleNamed({ state }: Sandbox, id: string): Transaction {
  const sale = state.transactions[shortId('transaction', id) ?? ''];
  if (!sale) throw new NotFound('transaction');
  return sale;
}

interface Search {
  orderId?: { is?: string };
}

export const queries = (sandbox: Sandbox) => ({
  clientConfiguration: configuration,
  node: ({ id }: { id: string }) => saleView(sandbox, saleNamed(sandbox, id)),

  idFromLegacyId({ legacyId }: { legacyId: string }) {
    if (!sandbox.state.transactions[legacyId]) throw new NotFound(legacyId);
    return globalId('transaction', legacyId);
  },

  search: {
    __typename: 'Search',
    transactions({ input: { orderId, ...others }, first }: { input: Search; first: number }) {
      const [unknown] = Object.keys(others);
      if (unknown) throw new Error(`test/fakes/braintree does not search by ${unknown}`);
      const edges = Object.values(sandbox.state.transactions)
        .filter(({ createdAt }) => createdAt <= sandbox.now() - sandbox.searchLag)
        .filter((sale) => sale.orderId === orderId?.is)
        .reverse()
        .slice(0, first)
        .map((sale) => ({
          __typename: 'TransactionConnectionEdge',
          node: saleView(sandbox, sale),
        }));
      return { __typename: 'TransactionConnection', edges };
    },
  },
});

interface Charge {
  paymentMethodId: string;
  transaction: {
    amount: string;
    orderId?: string;
    customerId?: string;
    merchantAccountId?: string;
    riskData?: { deviceData?: string };
    tax?: { taxAmount?: string };
    vaultPaymentMethodAfterTransacting?: { when: string };
  };
}

interface Typed {
  number?: string;
  expirationMonth?: string;
  expirationYear?: string;
}

type MutationVariables<T> = { input: T };

/**
 * Mutations for servers. An `apiRequestKey` has no effect: idempotency is for selected merchants only
 * (developer.paypal.com/braintree/graphql/integration_guides/idempotency).
 */
export const mutations = (sandbox: Sandbox) => ({
  chargePaymentMethod({ input: { transaction, paymentMethodId } }: MutationVariables<Charge>) {
    const token = shortId('paymentmethod', paymentMethodId) ?? null;
    const customer = transaction.customerId
      ? (shortId('customer', transaction.customerId) ?? 'none')
      : null;
    const merchantAccount = transaction.merchantAccountId ?? 'funnel_usd';
    const sale = sell(sandbox, {
      nonce: token ? null : paymentMethodId,
      token,
      amount: minor(transaction.amount, currencyOf(merchantAccount)),
      merchantAccount,
      orderId: transaction.orderId ?? null,
      customer,
      vaultOnSuccess: transaction.vaultPaymentMethodAfterTransacting !== undefined,
      deviceData: transaction.riskData?.deviceData,
      // "Does not add to the total amount" (…/graphql/reference/types/transaction-tax-input).
      tax: transaction.tax?.taxAmount
        ? minor(transaction.tax.taxAmount, currencyOf(merchantAccount))
        : null,
    });
    return { __typename: 'TransactionPayload', transaction: saleView(sandbox, sale) };
  },

  reverseTransaction({ input }: MutationVariables<{ transactionId: string }>) {
    const sale = saleNamed(sandbox, input.transactionId);
    const reversal =
      sale.status === 'SETTLED'
        ? refundView(refund(sandbox, sale), sale.currency)
        : saleView(sandbox, voidTransaction(sale));
    return { __typename: 'ReverseTransactionPayload', reversal };
  },

  refundTransaction({
    input,
  }: MutationVariables<{ transactionId: string; refund: { amount: string; orderId?: string } }>) {
    const { amount, orderId } = input.refund;
    const sale = saleNamed(sandbox, input.transactionId);
    const newRefund = refund(sandbox, sale, minor(amount, sale.currency), orderId);
    return { __typename: 'RefundTransactionPayload', refund: refundView(newRefund, sale.currency) };
  },

  createClientToken: () => ({
    __typename: 'CreateClientTokenPayload',
    clientToken: clientTokenFor(),
  }),

  tokenizeCreditCard({ input: { creditCard } }: MutationVariables<{ creditCard: Typed }>) {
    const { number = '', expirationMonth, expirationYear = '' } = creditCard;
    const year = expirationYear.length === 2 ? `20${expirationYear}` : expirationYear;
    const card = cardOf(number.replaceAll(' ', ''), `${expirationMonth}/${year}`);
    if (card === 'invalid')
      throw new Invalid('81715', 'creditCard', 'Credit card number is invalid');
    if (card === 'unknown') {
      const text = 'Credit card number is not an accepted test number';
      throw new Invalid('81717', 'creditCard', text);
    }
    const { nonce } = makeNonce(sandbox, card);
    const details = { __typename: 'CreditCardDetails', bin: card.bin };
    return { __typename: 'TokenizeCreditCardPayload', token: nonce, creditCard: details };
  },
});
