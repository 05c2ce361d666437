import fc from 'fast-check';
import type {
  ChargeRequest,
  Gateway,
  RefundRequest,
} from '../../../../worker/payments/purchase/gateway.ts';
import { type AttemptChange, accountId, attempt } from '../attempts/attempt-fixture.ts';

/** An attempt of a new customer. */
export async function newChargeRequest(
  gateway: Pick<Gateway, 'customer'>,
  change: AttemptChange,
): Promise<ChargeRequest> {
  const account = accountId();
  const email = `${account}@example.com`;
  const started = { id: crypto.randomUUID(), openedAt: Date.now(), version: 2 };
  const customerId = (await gateway.customer(account, email)) ?? '';
  return {
    attempt: attempt({ ...started, ...change }),
    account,
    email,
    customerId,
    methodId: null,
    record() {},
  };
}

/** A refund that was not sent before. */
export const newRefund = (key: string): RefundRequest => ({ key, sentAt: null, markSent() {} });

/** The text with one character inserted, removed or changed. @param likely characters a forger would try */
export const mutated = (text: string, likely: string): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(text.length - 1),
      kind: fc.constantFrom('insert', 'remove', 'change'),
      char: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom(...likely),
      ),
    })
    .map(({ at, kind, char }) => {
      const rest = text.slice(kind === 'insert' ? at : at + 1);
      return text.slice(0, at) + (kind === 'remove' ? '' : char) + rest;
    })
    .filter((mutation) => mutation !== text);
