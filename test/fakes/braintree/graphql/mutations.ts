import { cardOf } from '../cards.ts';
import { clientTokenFor, configuration } from '../client-api.ts';
import { refund, voidTransaction } from '../money-back.ts';
import { sell } from '../sale.ts';
import {
  globalId,
  Invalid,
  minor,
  NotFound,
  newId,
  type Sandbox,
  shortId,
  type Transaction,
} from '../state.ts';

import { makeNonce, spend, vault } from '../vault.ts';
import { customerView, detailsOf, methodView, nonceView, refundView, saleView } from './views.ts';

interface Search {
  orderId?: { is?: string };
  id?: { is?: string };
  customer?: { id?: { is?: string } };
}

const searchable = ['orderId', 'id', 'customer'];
export function queries(sandbox: Sandbox) {
  const { state } = sandbox;
  return {
    ping: 'pong',
    clientConfiguration: configuration,

    node({ id }: { id: string }) {
      const sale = state.transactions[shortId('transaction', id) ?? ''];
      if (sale) return saleView(sandbox, sale);
      const customer = state.customers[shortId('customer', id) ?? ''];
      if (customer) return customerView(customer);
      const method = state.methods[shortId('paymentmethod', id) ?? ''];
      if (method) return methodView(method);
      throw new NotFound('node');
    },

    idFromLegacyId({ legacyId, type }: { legacyId: string; type: string }) {
      const kind = type.toLowerCase().replace('_', '');
      const tables: Record<string, object> = {
        transaction: state.transactions,
        customer: state.customers,
        paymentmethod: state.methods,
      };
      if (!(legacyId in (tables[kind] ?? {}))) throw new NotFound(legacyId);
      return globalId(kind, legacyId);
    },

    search: {
      __typename: 'Search',
      transactions({ input, first = 50 }: { input: Search; first?: number }) {
        const strange = Object.keys(input).find((name) => !searchable.includes(name));
        if (strange) throw new Error(`test/fakes/braintree does not search by ${strange}`);
        const { orderId, id, customer } = input;
        const nodes = Object.values(state.transactions)
          .filter(({ createdAt }) => createdAt <= sandbox.now() - sandbox.searchLag)
          .filter((sale) => !orderId?.is || sale.orderId === orderId.is)
          .filter((sale) => !id?.is || globalId('transaction', sale.id) === id.is)
          .filter((sale) => {
            const wanted = customer?.id?.is;
            return !wanted || globalId('customer', sale.customer ?? '') === wanted;
          })
          .reverse()
          .slice(0, first)
          .map((sale) => ({
            __typename: 'TransactionConnectionEdge',
            cursor: sale.id,
            node: saleView(sandbox, sale),
          }));
        const pageInfo = { __typename: 'PageInfo', hasNextPage: false };
        return { __typename: 'TransactionConnection', edges: nodes, pageInfo };
      },
    },
  };
}

interface Charge {
  paymentMethodId: string;
  options?: { threeDSecureAuthentication?: { required?: boolean } };
  transaction: {
    amount: string;
    orderId?: string;
    customerId?: string;
    merchantAccountId?: string;
    riskData?: { deviceData?: string };
    vaultPaymentMethodAfterTransacting?: { when: string };
  };
}

type Given<T> = { input: T };
function found({ state }: Sandbox, id: string): Transaction {
  const sale = state.transactions[shortId('transaction', id) ?? ''];
  if (!sale) throw new NotFound('transaction');
  return sale;
}

/**
 * What a server may change. An `apiRequestKey` has no effect: idempotency is for selected merchants only
 * (developer.paypal.com/braintree/graphql/integration_guides/idempotency).
 */
export function mutations(sandbox: Sandbox) {
  const { state } = sandbox;

  function charge(input: Charge) {
    const { transaction, paymentMethodId, options } = input;
    const token = shortId('paymentmethod', paymentMethodId) ?? null;
    const customer = transaction.customerId
      ? (shortId('customer', transaction.customerId) ?? 'none')
      : null;
    const made = sell(sandbox, {
      nonce: token ? null : paymentMethodId,
      token,
      amount: minor(transaction.amount),
      merchantAccount: transaction.merchantAccountId ?? 'funnel_usd',
      orderId: transaction.orderId ?? null,
      customer,
      vaultOnSuccess: transaction.vaultPaymentMethodAfterTransacting !== undefined,
      deviceData: transaction.riskData?.deviceData,
      requireThreeDSecure: options?.threeDSecureAuthentication?.required,
    });
    const sale = saleView(sandbox, made);
    return { __typename: 'TransactionPayload', clientMutationId: null, transaction: sale };
  }

  return {
    chargePaymentMethod: ({ input }: Given<Charge>) => charge(input),
    chargeCreditCard: ({ input }: Given<Charge>) => charge(input),

    reverseTransaction({ input }: Given<{ transactionId: string }>) {
      const sale = found(sandbox, input.transactionId);
      const reversal =
        sale.status === 'SETTLED'
          ? refundView(sandbox, refund(sandbox, sale))
          : saleView(sandbox, voidTransaction(sale));
      return { __typename: 'ReverseTransactionPayload', clientMutationId: null, reversal };
    },

    refundTransaction({
      input,
    }: Given<{ transactionId: string; refund?: { amount?: string; orderId?: string } }>) {
      const { amount, orderId } = input.refund ?? {};
      const sale = found(sandbox, input.transactionId);
      const made = refund(sandbox, sale, amount === undefined ? undefined : minor(amount), orderId);
      return { __typename: 'RefundTransactionPayload', refund: refundView(sandbox, made) };
    },

    createCustomer({ input }: Given<{ customer?: { email?: string } }>) {
      const customer = {
        id: newId(),
        email: input.customer?.email ?? '',
        createdAt: sandbox.now(),
      };
      state.customers[customer.id] = customer;
      return { __typename: 'CreateCustomerPayload', customer: customerView(customer) };
    },

    vaultPaymentMethod({ input }: Given<{ paymentMethodId: string; customerId: string }>) {
      const customer = shortId('customer', input.customerId) ?? '';
      if (!state.customers[customer]) throw new NotFound('customer');
      const method = vault(sandbox, customer, spend(sandbox, input.paymentMethodId).card);
      return { __typename: 'VaultPaymentMethodPayload', paymentMethod: methodView(method) };
    },

    createClientToken({ input }: Given<{ clientToken?: { customerId?: string } }>) {
      const customer = shortId('customer', input?.clientToken?.customerId ?? '');
      if (input?.clientToken?.customerId && !(customer && state.customers[customer])) {
        throw new Invalid(
          '92804',
          'clientToken',
          'Customer specified by customer_id does not exist',
        );
      }
      const clientToken = clientTokenFor(customer);
      return { __typename: 'CreateClientTokenPayload', clientMutationId: null, clientToken };
    },

    tokenizeCreditCard({
      input,
    }: Given<{
      creditCard: { number?: string; expirationMonth?: string; expirationYear?: string };
    }>) {
      const { number = '', expirationMonth, expirationYear = '' } = input.creditCard;
      const year = expirationYear.length === 2 ? `20${expirationYear}` : expirationYear;
      const card = cardOf(number.replaceAll(' ', ''), `${expirationMonth}/${year}`);
      if (card === 'invalid')
        throw new Invalid('81715', 'creditCard', 'Credit card number is invalid');
      if (card === 'unknown') {
        throw new Invalid(
          '81717',
          'creditCard',
          'Credit card number is not an accepted test number',
        );
      }
      const nonce = makeNonce(sandbox, card);
      return {
        __typename: 'TokenizeCreditCardPayload',
        clientMutationId: null,
        token: nonce.nonce,
        creditCard: detailsOf(card),
        paymentMethod: nonceView(nonce),
      };
    },
  };
}
