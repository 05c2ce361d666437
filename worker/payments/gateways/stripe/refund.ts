import Stripe from 'stripe';
import type { ChargeRequest, Movement } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';
import { chargeOf, gone, idOf, limit, listAll, movement, refundsOf } from './money.ts';

/** Why a refund was not made; none of it moved. */
export type RefundReason = 'too_much' | 'disputed' | 'foreign_payment' | 'failed' | 'refused';

/** A refund that Stripe, or what it knows of the payment, does not allow. */
export class RefundRefused extends Error {
  readonly reason: RefundReason;
  constructor(reason: RefundReason, detail = '') {
    super([reason, detail].filter(Boolean).join(': '));
    this.reason = reason;
  }
}

const definite = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError;

/** The reason behind Stripe's no. https://docs.stripe.com/error-codes */
function reasonOf({ code, param }: Stripe.errors.StripeInvalidRequestError): RefundReason {
  if (code === 'charge_disputed') return 'disputed';
  return code === 'charge_already_refunded' || param === 'amount' ? 'too_much' : 'refused';
}

/**
 * Gives money back, once for a key: the key is kept with the refund, so that a repetition finds it
 * also after the day for which Stripe remembers idempotency keys.
 *
 * @param amount minor units
 * @throws {RefundRefused} when nothing was given back and nothing will be under this key
 */
export async function refund(
  stripe: StripeClient,
  order: ChargeRequest,
  paymentId: string,
  amount: number,
  key: string,
): Promise<Movement> {
  const expand = ['data.refunds'];
  const charges = await listAll(stripe.charges.list({ payment_intent: paymentId, limit, expand }));
  const charge = charges.find(({ captured, status }) => captured && status === 'succeeded');
  if (!charge || idOf(charge.customer) !== chargeOf(order).customerId) {
    throw new RefundRefused('foreign_payment');
  }
  const before = await refundsOf(stripe, charge);
  let made = before.find(({ metadata }) => metadata?.refund === key);
  if (!made && amount > charge.amount_captured - charge.amount_refunded) {
    throw new RefundRefused('too_much');
  }
  try {
    made ??= await stripe.refunds.create(
      {
        payment_intent: paymentId,
        amount,
        reason: 'requested_by_customer',
        metadata: { refund: key, attempt_id: order.attempt.id, account: order.account },
      },
      { idempotencyKey: key },
    );
  } catch (error) {
    throw definite(error) ? new RefundRefused(reasonOf(error), error.code) : error;
  }
  if (gone.has(made.status)) throw new RefundRefused('failed');
  return movement(made, paymentId);
}
