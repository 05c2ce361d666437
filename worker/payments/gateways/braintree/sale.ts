import { decimal } from '../../../../locales/format/currency.ts';
import type { Plan } from '../../../catalog/rules/plans.ts';
import { minuteMs } from '../../../platform/durations.ts';
import type { AttemptId, Minor, PaymentId } from '../../../platform/types.ts';
import type { ChargeRequest, RefundReply, RefundRequest } from '../../purchase/gateway.ts';
import type { Attempt } from '../../purchase/state.ts';
import { includedTax, taxRateOf } from '../../purchase/tax.ts';
import {
  BraintreeAmbiguousError,
  type BraintreeConfig,
  type GraphqlReply,
  graphql,
  hasMerchantAccount,
} from './client.ts';
import { amountOf, isReversed, type Sale, successfulRefunds } from './outcome.ts';

const fields = `
  id legacyId orderId status amount { value currencyCode } customer { id }
  paymentMethod { id legacyId } processorResponse { legacyCode message }
  statusHistory { ... on GatewayRejectedEvent { gatewayRejectionReason } }
  refunds { orderId status amount { value } }`;

const chargeMutation = `mutation Charge($input: ChargePaymentMethodInput!) {
  chargePaymentMethod(input: $input) { transaction { ${fields} } }
}`;
const searchQuery = `query Search($input: TransactionSearchInput!) {
  search { transactions(input: $input, first: 50) { edges { node { ${fields} } } } }
}`;
const reverseMutation = `mutation Reverse($input: ReverseTransactionInput!) {
  reverseTransaction(input: $input) { reversal { ... on Transaction { id } ... on Refund { id } } }
}`;

/** @throws BraintreeAmbiguousError for another attempt's sale, which proves nothing */
function requireAttempt(attempt: AttemptId, sale: Sale): Sale {
  if (sale.orderId !== attempt) throw new BraintreeAmbiguousError('sale of another attempt');
  return sale;
}

/** The tax included in an amount; undefined where no rate is known. */
export function taxOf(
  { taxRates }: BraintreeConfig,
  { taxLocation }: Attempt,
  amount: Minor,
): Minor | undefined {
  const rate = taxRateOf(taxRates, taxLocation);
  return rate === undefined ? undefined : includedTax(amount, rate);
}

/** Sent once: a retry would charge again unless the merchant's duplicate checking stops it. */
export async function charge(
  config: BraintreeConfig,
  { attempt, customerId, methodId }: ChargeRequest,
  plan: Plan,
): Promise<GraphqlReply<Sale>> {
  if (!hasMerchantAccount(config, plan.currency))
    return { kind: 'refused', codes: ['no merchant account'] };
  const paymentMethodId = attempt.nonce ?? methodId ?? '';
  const risk = attempt.deviceData ? { riskData: { deviceData: attempt.deviceData } } : {};
  const tax = taxOf(config, attempt, attempt.amount);
  const vault = { vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' } };
  const input = {
    paymentMethodId,
    transaction: {
      amount: decimal(attempt.amount, plan.currency),
      orderId: attempt.id,
      customerId,
      merchantAccountId: config.merchantAccount(plan.currency),
      ...(attempt.nonce ? vault : {}),
      ...risk,
      // Included in the amount (developer.paypal.com/braintree/graphql/reference/types/transaction-tax-input).
      ...(tax !== undefined && { tax: { taxAmount: decimal(tax, plan.currency) } }),
    },
  };
  const reply = await graphql<{ chargePaymentMethod: { transaction: Sale } }>(
    config,
    chargeMutation,
    { input },
    'once',
  );
  if (reply.kind === 'refused') return reply;
  return {
    kind: 'done',
    data: requireAttempt(attempt.id, reply.data.chargePaymentMethod.transaction),
  };
}

async function search(config: BraintreeConfig, input: object): Promise<Sale[]> {
  const reply = await graphql<{
    search: { transactions: { edges: { node: Sale }[] } };
  }>(config, searchQuery, { input });
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`search ${reply.codes}`);
  return reply.data.search.transactions.edges.map(({ node }) => node);
}

export async function salesOf(config: BraintreeConfig, attempt: AttemptId): Promise<Sale[]> {
  const sales = await search(config, { orderId: { is: attempt } });
  return sales.map((sale) => requireAttempt(attempt, sale));
}

const idQuery = `query Name($id: ID!) { idFromLegacyId(legacyId: $id, type: TRANSACTION) }`;
const readQuery = `query Read($id: ID!) { node(id: $id) { ... on Transaction { ${fields} } } }`;

export async function saleBy(
  config: BraintreeConfig,
  legacyId: PaymentId,
): Promise<Sale | undefined> {
  const named = await graphql<{ idFromLegacyId: string }>(config, idQuery, { id: legacyId });
  if (named.kind === 'refused') return undefined;
  const read = await graphql<{ node: Sale | null }>(config, readQuery, {
    id: named.data.idFromLegacyId,
  });
  return read.kind === 'refused' ? undefined : (read.data.node ?? undefined);
}

export async function reverse(config: BraintreeConfig, sale: Sale): Promise<GraphqlReply<unknown>> {
  const reply = await graphql(config, reverseMutation, { input: { transactionId: sale.id } });
  if (reply.kind === 'done') return reply;
  const now = await saleBy(config, sale.legacyId);
  return now && isReversed(now) ? { kind: 'done', data: now } : reply;
}

const refundMutation = `mutation Refund($input: RefundTransactionInput!) {
  refundTransaction(input: $input) { refund { id status } }
}`;
const settledStatuses = new Set(['SETTLED', 'SETTLING', 'SETTLEMENT_CONFIRMED']);
const failedStatuses = new Set(['FAILED', 'PROCESSOR_DECLINED']);
/** After this time a refund whose reply was lost has been executed, and is listed with its transaction. */
const retryAfterMs = 5 * minuteMs;

const reasonOf = ({ codes }: { codes: string[] }): RefundReply => ({
  kind: 'refused',
  reason: codes.join(' '),
});

/** A retry finds its key as order id, however late. @throws {BraintreeAmbiguousError} while an earlier one may run */
export async function refund(
  config: BraintreeConfig,
  transactionId: PaymentId,
  amount: Minor,
  { key, sentAt, markSent }: RefundRequest,
): Promise<RefundReply> {
  const sale = await saleBy(config, transactionId);
  if (!sale) return { kind: 'refused', reason: 'unknown transaction' };
  if (sale.status === 'VOIDED') return { kind: 'voided' };
  if (!settledStatuses.has(sale.status)) {
    if (amount < amountOf(sale)) {
      return { kind: 'refused', reason: 'not settled yet: a partial refund has to wait' };
    }
    const reply = await reverse(config, sale);
    return reply.kind === 'done' ? { kind: 'voided' } : reasonOf(reply);
  }
  if (successfulRefunds(sale).some(({ orderId }) => orderId === key)) return { kind: 'refunded' };
  if (Date.now() - (sentAt ?? 0) < retryAfterMs) {
    throw new BraintreeAmbiguousError('refund under way');
  }
  markSent();
  const input = {
    transactionId: sale.id,
    refund: { amount: decimal(amount, sale.amount.currencyCode), orderId: key },
  };
  const reply = await graphql<{ refundTransaction: { refund: { status: string } | null } }>(
    config,
    refundMutation,
    { input },
    'once',
  );
  if (reply.kind === 'refused') return reasonOf(reply);
  const { refund: made } = reply.data.refundTransaction;
  if (!made) throw new BraintreeAmbiguousError('no refund');
  return failedStatuses.has(made.status)
    ? { kind: 'refused', reason: made.status }
    : { kind: 'refunded' };
}
