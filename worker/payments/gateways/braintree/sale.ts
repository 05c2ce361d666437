import { decimal, type Plan } from '../../../catalog/plans.ts';
import type { ChargeRequest } from '../../rules/gateway.ts';
import { type Answer, graphql } from './braintree-graphql.ts';
import { BraintreeAmbiguousError } from './client.ts';
import type { Account } from './credentials.ts';
import { isGivenBack, type Sale } from './outcome.ts';

const fields = `
  id legacyId orderId status amount { value currencyCode } customer { id }
  paymentMethod { id legacyId } processorResponse { legacyCode message }
  statusHistory { ... on GatewayRejectedEvent { gatewayRejectionReason } }
  refunds { orderId status amount { value } }`;

const charging = `mutation Charge($input: ChargePaymentMethodInput!) {
  chargePaymentMethod(input: $input) { transaction { ${fields} } }
}`;
const searching = `query Search($input: TransactionSearchInput!) {
  search { transactions(input: $input, first: 50) { edges { node { ${fields} } } } }
}`;
const reversing = `mutation Reverse($input: ReverseTransactionInput!) {
  reverseTransaction(input: $input) { reversal { ... on Transaction { id } ... on Refund { id } } }
}`;

/** A sale of the attempt that was asked about; from any other nothing may be concluded. */
function about(attempt: string, sale: Sale): Sale {
  if (sale.orderId !== attempt) throw new BraintreeAmbiguousError('sale of another attempt');
  return sale;
}

/**
 * Charges a nonce, which is vaulted when that succeeds, or a saved method. A repeat charges again
 * unless the merchant's duplicate checking stops it, so that it is sent once.
 */
export async function charge(
  account: Account,
  { attempt, customerId, methodId }: ChargeRequest,
  plan: Plan,
): Promise<Answer<Sale>> {
  const paymentMethodId = attempt.nonce ?? methodId ?? '';
  const risk = attempt.deviceData ? { riskData: { deviceData: attempt.deviceData } } : {};
  const vault = { vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' } };
  const input = {
    paymentMethodId,
    transaction: {
      amount: decimal(attempt.amount),
      orderId: attempt.id,
      customerId,
      merchantAccountId: account.merchantAccount(plan.currency),
      ...(attempt.nonce ? vault : {}),
      ...risk,
    },
  };
  const answer = await graphql<{ chargePaymentMethod: { transaction: Sale } }>(
    account,
    charging,
    { input },
    'once',
  );
  if (answer.is === 'refused') return answer;
  return { is: 'done', data: about(attempt.id, answer.data.chargePaymentMethod.transaction) };
}

async function search(account: Account, input: object): Promise<Sale[]> {
  const answer = await graphql<{
    search: { transactions: { edges: { node: Sale }[] } };
  }>(account, searching, { input });
  if (answer.is === 'refused') throw new BraintreeAmbiguousError(`search ${answer.codes}`);
  return answer.data.search.transactions.edges.map(({ node }) => node);
}

/** Every transaction of an attempt, newest first. */
export async function salesOf(account: Account, attempt: string): Promise<Sale[]> {
  const sales = await search(account, { orderId: { is: attempt } });
  return sales.map((sale) => about(attempt, sale));
}

const naming = `query Name($id: ID!) { idFromLegacyId(legacyId: $id, type: TRANSACTION) }`;
const reading = `query Read($id: ID!) { node(id: $id) { ... on Transaction { ${fields} } } }`;

/** A transaction by the id that the control panel and webhooks show; undefined when there is none. */
export async function saleBy(account: Account, legacyId: string): Promise<Sale | undefined> {
  const named = await graphql<{ idFromLegacyId: string }>(account, naming, { id: legacyId });
  if (named.is === 'refused') return undefined;
  const read = await graphql<{ node: Sale | null }>(account, reading, {
    id: named.data.idFromLegacyId,
  });
  return read.is === 'refused' ? undefined : (read.data.node ?? undefined);
}

/**
 * Voids a transaction, or refunds all of it once it is settled. A repeat gives nothing more back:
 * Braintree refuses it, and the transaction says why.
 */
export async function reverse(account: Account, sale: Sale): Promise<Answer<unknown>> {
  const answer = await graphql(account, reversing, { input: { transactionId: sale.id } });
  if (answer.is === 'done') return answer;
  const now = await saleBy(account, sale.legacyId);
  return now && isGivenBack(now) ? { is: 'done', data: now } : answer;
}
