import fc from 'fast-check';
import type { RefundRequest } from '../../../../worker/payments/rules/gateway.ts';

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
