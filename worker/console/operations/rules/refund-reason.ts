import { jsonIn } from '../../../platform/read-json.ts';
import type { PaymentId } from '../../../platform/types.ts';

interface Refund {
  /** Such as `refund:re_1`. */
  id: string;
  payment_id: PaymentId;
  refund_key: string | null;
}

interface Audited {
  action: string;
  target: string;
  details: string;
  result: string;
}

const keyIn = (details: string) => (jsonIn(details) as { key?: unknown } | undefined)?.key;

/** Found by their common key. A void has no key at the provider, but a payment is voided only once. */
export function decisionOf<Row extends Audited>(
  { id, payment_id, refund_key }: Refund,
  audit: readonly Row[],
): Row | undefined {
  const isVoid = id === `refund:void:${payment_id}`;
  const own = audit.filter(
    ({ action, target, details }) =>
      action === 'refund' &&
      target === payment_id &&
      (isVoid || `${payment_id}:${keyIn(details)}` === refund_key),
  );
  const isMade = ({ result }: Row) => result.startsWith('refunded');
  // The command whose answer was lost may have made the refund; a refused one has another key.
  const isUnanswered = ({ result }: Row) => result === 'begun' || result === 'gateway_ambiguous';
  return own.find(isMade) ?? own.find((row) => !isVoid && isUnanswered(row));
}

/** The reason of a refund that no operator sent. */
export const otherReason = (refundKey: string | null): string =>
  refundKey?.startsWith('early_end:')
    ? 'The buyer ended a renewed period early, as the law allows.'
    : refundKey?.startsWith('withdrawal:')
      ? 'The buyer withdrew, by law or under the guarantee.'
      : 'Not made by an operator: made at the provider, or returned because nothing was sold.';
