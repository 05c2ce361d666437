import type { RefundRequest } from '../../../../worker/payments/rules/gateway.ts';

/** A refund that is asked for under a key, and was not sent before. */
export const askedRefund = (key: string): RefundRequest => ({ key, sentAt: null, sending() {} });
