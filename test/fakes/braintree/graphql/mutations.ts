import type { Sandbox } from '../call.ts';
import { cardOf } from '../cards.ts';
import { clientTokenFor } from '../client-token.ts';
import { Invalid, NotFound } from '../errors.ts';
import { refund, voidTransaction } from '../money-back.ts';
import { sell } from '../sale.ts';
import { minor, newId, shortId, type Transaction } from '../state.ts';
import { makeNonce, spend, vault } from '../vault.ts';
import { customerView, detailsOf, methodView, nonceView, refundView, saleView } from './views.ts';

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
