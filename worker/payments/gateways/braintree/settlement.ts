import type { Env } from '../../../platform/env.ts';
import { attemptIdOf, type PaymentId, paymentIdOf } from '../../../platform/types.ts';
import type { BookedMovement, PaidPeriod, SettlementReader } from '../../purchase/settlement.ts';
import {
  BraintreeAmbiguousError,
  type BraintreeConfig,
  braintreeCredentials,
  rest,
} from './client.ts';
import { minorUnits } from './outcome.ts';
import { capturedStatus } from './statement.ts';
import { listOf, textOf, type Xml } from './xml.ts';

/** As in the official clients; a search finds at most 50,000. */
const pageSize = 50;

async function search(config: BraintreeConfig, path: string, criteria: object, ...at: string[]) {
  const reply = await rest(config, `POST /transactions/${path}`, { search: criteria });
  if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`search ${reply.kind}`);
  return listOf(reply.body, ...at);
}

const settledIn = ({ from, to }: PaidPeriod) => ({
  // Both ends are included, and times are whole seconds.
  settled_at: { min: new Date(from).toISOString(), max: new Date(to - 1000).toISOString() },
});

const read = (config: BraintreeConfig, ids: readonly string[]) =>
  search(config, 'advanced_search', { ids }, 'credit-card-transactions');

function movementIn(one: Xml): BookedMovement {
  const isRefund = textOf(one, 'type') === 'credit';
  const currency = textOf(one, 'currency-iso-code');
  const id = textOf(one, 'id');
  const payment = isRefund ? textOf(one, 'refunded-transaction-id') : id;
  return {
    id: `${isRefund ? 'refund' : 'capture'}:${id}`,
    paymentId: paymentIdOf(payment),
    amount: minorUnits(textOf(one, 'amount'), currency),
    currency,
    // A renewal has no order id, and a refund has its key there instead.
    attempt: (!isRefund && attemptIdOf(textOf(one, 'order-id'))) || null,
    account: null,
    customerId: textOf(one, 'customer', 'global-id') || null,
    subscriptionId: textOf(one, 'subscription-id') || null,
  };
}

async function uncaptured(
  config: BraintreeConfig,
  rows: readonly { paymentId: PaymentId }[],
): Promise<PaymentId[]> {
  const found = await read(
    config,
    rows.map(({ paymentId }) => paymentId),
  );
  const captured = new Set(
    found
      .filter((one) => capturedStatus.test(textOf(one, 'status')))
      .map((one) => textOf(one, 'id')),
  );
  return rows.flatMap(({ paymentId }) => (captured.has(paymentId) ? [] : [paymentId]));
}

/** developer.paypal.com/braintree/docs/reference/request/transaction/search */
export function braintreeSettlement(env: Env): SettlementReader {
  const config = braintreeCredentials(env);
  return {
    async booked(period, cursor) {
      const at = Number(cursor ?? 0);
      const found = await search(
        config,
        'advanced_search_ids',
        settledIn(period),
        'search-results',
        'ids',
      );
      const ids = found.map(String).sort();
      const page = ids.slice(at, at + pageSize);
      const movements = page.length > 0 ? (await read(config, page)).map(movementIn) : [];
      // Fees are in Braintree's statements, but not in its API.
      return {
        movements,
        fees: null,
        next: at + pageSize < ids.length ? String(at + pageSize) : null,
      };
    },
    uncaptured: (rows) => uncaptured(config, rows),
  };
}
