import type { Currency } from '../../../catalog/markets.ts';
import { decimal } from '../../../catalog/plans.ts';
import type { Env } from '../../../env.ts';
import type { RefundRequest } from '../../rules/gateway.ts';
import { graphql } from './braintree-graphql.ts';
import { BraintreeAmbiguousError } from './client.ts';
import { braintreeCredentials } from './credentials.ts';
import { goodRefunds, minorUnits } from './outcome.ts';
import { reverse, saleBy } from './sale.ts';
import {
  type BraintreeSubscription,
  cancelSubscription,
  readSubscription,
} from './subscription.ts';

/** What became of a refund. `later`: only a part was asked for, and nothing is settled yet. */
export type Refunded = 'refunded' | 'voided' | 'later' | { refused: string };

interface GivenBack {
  refundTransaction: { refund: { status: string } | null };
}

const tokenFor = `mutation Token($input: CreateClientTokenInput!) {
  createClientToken(input: $input) { clientToken }
}`;
const giveBack = `mutation Refund($input: RefundTransactionInput!) {
  refundTransaction(input: $input) { refund { id status } }
}`;
const failed = new Set(['FAILED', 'PROCESSOR_DECLINED']);
/** Also a call whose reply was lost has ended by then; a transaction that is read by its id shows its refunds. */
const refundDelay = 5 * 60_000;
const settled = new Set(['SETTLED', 'SETTLING', 'SETTLEMENT_CONFIRMED']);

/**
 * What the browser needs to reach Braintree for this customer.
 *
 * @param customerId as `customer` of the gateway told it; none for a visitor without purchases
 */
export async function clientToken(
  env: Env,
  { customerId, currency }: { customerId: string | null; currency: Currency },
): Promise<string> {
  const account = braintreeCredentials(env);
  const clientToken = {
    merchantAccountId: account.merchantAccount(currency),
    ...(customerId ? { customerId } : {}),
  };
  const answer = await graphql<{ createClientToken: { clientToken: string } }>(account, tokenFor, {
    input: { clientToken },
  });
  if (answer.is === 'refused') throw new BraintreeAmbiguousError(`client token ${answer.codes}`);
  return answer.data.createClientToken.clientToken;
}

/** Ends a subscription's renewals; what was paid stays. @returns false when there is none */
export function cancel(env: Env, subscriptionId: string): Promise<boolean> {
  return cancelSubscription(braintreeCredentials(env), subscriptionId);
}

/** A subscription as it is now; null when there is none. */
export function read(env: Env, subscriptionId: string): Promise<BraintreeSubscription | null> {
  return readSubscription(braintreeCredentials(env), subscriptionId);
}

/**
 * Gives money back: a refund once it is settled, else the whole transaction is voided. A refund carries
 * its key as order id, so that a repeat finds it among those of its transaction, however late.
 *
 * @param transactionId the payment id of the ledger
 * @param amount minor units
 * @throws {BraintreeAmbiguousError} while one that was sent may still be under way
 */
export async function refund(
  env: Env,
  transactionId: string,
  amount: number,
  { key, sentAt, sending }: RefundRequest,
): Promise<Refunded> {
  const account = braintreeCredentials(env);
  const sale = await saleBy(account, transactionId);
  if (!sale) return { refused: 'unknown transaction' };
  if (sale.status === 'VOIDED') return 'voided';
  if (!settled.has(sale.status)) {
    if (amount < minorUnits(sale.amount.value)) return 'later';
    const answer = await reverse(account, sale);
    return answer.is === 'done' ? 'voided' : { refused: answer.codes.join(' ') };
  }
  if (goodRefunds(sale).some(({ orderId }) => orderId === key)) return 'refunded';
  if (Date.now() - (sentAt ?? 0) < refundDelay)
    throw new BraintreeAmbiguousError('refund under way');
  sending();
  const given = { amount: decimal(amount), orderId: key };
  const answer = await graphql<GivenBack>(
    account,
    giveBack,
    { input: { transactionId: sale.id, refund: given } },
    'once',
  );
  if (answer.is === 'refused') return { refused: answer.codes.join(' ') };
  const { refund: made } = answer.data.refundTransaction;
  if (!made) throw new BraintreeAmbiguousError('no refund');
  return failed.has(made.status) ? { refused: made.status } : 'refunded';
}
