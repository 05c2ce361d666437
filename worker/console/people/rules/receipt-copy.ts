import type { Terms } from '../../../catalog/accepted-terms.ts';
import { includesTax } from '../../../payments/notices/receipt.ts';
import { withdrawalDay } from '../../../payments/purchase/refund-rights.ts';
import type { Minor, PaymentId } from '../../../platform/types.ts';
import type { PersonFacts } from '../people-table.ts';

const dayMs = 24 * 60 * 60_000;

/** The e-mail sent for a payment: a purchase's or a renewal's. */
export type ReceiptCopy =
  | { template: 'purchase_confirmation'; data: ReceiptData & { withdraw: number | null } }
  | { template: 'renewal_receipt'; data: ReceiptData };

interface ReceiptData {
  plan: string;
  coupon: string | null;
  at: number;
  timeZone: string;
  paid: Minor;
  renews: number | null;
  receipt: PaymentId;
  taxIncluded: boolean;
  tax?: Minor;
}

/** The receipt of a payment, written today; null for a payment without its own receipt, such as a plan change. */
export function receiptCopy(
  { attempts, subscriptions, ledger, changes }: PersonFacts,
  payment: PaymentId,
  now: number,
): ReceiptCopy | null {
  const capture = ledger.find(
    ({ kind, payment_id }) => kind === 'capture' && payment_id === payment,
  );
  const attempt = attempts.find(({ id }) => id === capture?.attempt_id);
  if (!capture || !attempt || changes.some(({ payment_id }) => payment_id === payment)) return null;
  const subscription = subscriptions.find(({ attempt_id }) => attempt_id === attempt.id);
  const terms: Terms | null = attempt.terms === null ? null : JSON.parse(attempt.terms);
  const isFirst = ledger.every(
    (row) =>
      row.kind !== 'capture' ||
      row.attempt_id !== attempt.id ||
      row.occurred_at >= capture.occurred_at,
  );
  const runsOn = subscription?.status === 'active' && !subscription.cancel_at_period_end;
  const data = {
    plan: isFirst ? attempt.plan : (subscription?.plan ?? attempt.plan),
    coupon: attempt.coupon,
    at: capture.occurred_at,
    timeZone: terms?.timeZone ?? 'UTC',
    paid: capture.amount,
    renews: runsOn ? subscription.paid_until : null,
    receipt: payment,
    taxIncluded: includesTax(terms),
    ...(capture.tax !== null && { tax: capture.tax }),
  };
  if (!isFirst) return { template: 'renewal_receipt', data };
  const last = withdrawalDay(terms);
  const withdraw = last !== null && last + dayMs > now ? last : null;
  return { template: 'purchase_confirmation', data: { ...data, withdraw } };
}
