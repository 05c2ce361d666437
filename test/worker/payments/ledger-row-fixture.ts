import type { LedgerRow } from '../../../worker/payments/purchase-projection.ts';

/** The row of a whole month's price that was taken for an attempt. */
export const captured = (attempt: string, change: Partial<LedgerRow> = {}): LedgerRow => ({
  id: `${attempt}:capture`,
  attempt,
  account: 'account',
  kind: 'capture',
  amount: 3999,
  currency: 'USD',
  paymentId: 'pi',
  gateway: 'stripe',
  experiment: 'e1',
  arm: 'intro/7d',
  at: 7,
  ...change,
});
