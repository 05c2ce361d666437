import Stripe from 'stripe';
import type { Minor, PaymentId } from '../../../platform/types.ts';
import type { ChargeRequest } from '../../purchase/gateway.ts';
import type { Movement } from '../../purchase/state.ts';
import { idOf, type StripeClient } from './client.ts';
import { chargeOf, failedRefunds, listAll, movementOf, pageSize, refundsOf } from './statement.ts';

export type RefundReason = 'too_much' | 'disputed' | 'foreign_payment' | 'failed' | 'refused';

export class RefundRefused extends Error {
  readonly reason: RefundReason;
  constructor(reason: RefundReason, detail = '') {
    super([reason, detail].filter(Boolean).join(': '));
    this.reason = reason;
  }
}

const isInvalidRequest = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError;

/** https://docs.stripe.com/error-codes */
function reasonOf({ code, param }: Stripe.errors.StripeInvalidRequestError): RefundReason {
  if (code === 'charge_disputed') return 'disputed';
  return code === 'charge_already_refunded' || param === 'amount' ? 'too_much' : 'refused';
}

interface RequestedRefund {
  paymentId: PaymentId;
  amount: Minor;
  key: string;
}

/**
 * Refunds once per key. The key is in the refund's metadata, so that a retry finds the refund even after Stripe has
 * forgotten the idempotency key, which it keeps for a day. @throws {RefundRefused}
 */
export async function refund(
  stripe: StripeClient,
  request: ChargeRequest,
  { paymentId, amount, key }: RequestedRefund,
): Promise<Movement> {
  const expand = ['data.refunds'];
  const charges = await listAll(
    stripe.charges.list({ payment_intent: paymentId, limit: pageSize, expand }),
  );
  const charge = charges.find(({ captured, status }) => captured && status === 'succeeded');
  if (!charge || idOf(charge.customer) !== chargeOf(request).customerId) {
    throw new RefundRefused('foreign_payment');
  }
  const existing = await refundsOf(stripe, charge);
  let made = existing.find(({ metadata }) => metadata?.refund === key);
  if (!made && amount > charge.amount_captured - charge.amount_refunded) {
    throw new RefundRefused('too_much');
  }
  try {
    made ??= await stripe.refunds.create(
      {
        payment_intent: paymentId,
        amount,
        reason: 'requested_by_customer',
        metadata: { refund: key, attempt_id: request.attempt.id, account: request.account },
      },
      { idempotencyKey: key },
    );
  } catch (error) {
    throw isInvalidRequest(error) ? new RefundRefused(reasonOf(error), error.code) : error;
  }
  if (failedRefunds.has(made.status)) throw new RefundRefused('failed');
  return movementOf(made, paymentId);
}
