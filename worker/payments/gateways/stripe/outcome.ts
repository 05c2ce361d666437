import Stripe from 'stripe';
import type { Plan } from '../../../catalog/plans.ts';
import type { GatewayOutcome } from '../../rules/attempt.ts';
import type { ChargeRequest } from '../../rules/gateway.ts';

/** What Stripe made for an attempt, by its ids. A one-time plan has a payment intent alone. */
export interface Made {
  subscriptionId: string | null;
  invoiceId: string | null;
  paymentId: string;
}

/** What was read of an attempt at Stripe. */
export interface Read {
  intent: Stripe.PaymentIntent;
  made: Made;
}

const idOf = (value: string | { id: string } | null) =>
  value === null || typeof value === 'string' ? value : value.id;

const declined = (code: string | undefined, response: string | undefined): GatewayOutcome => ({
  kind: 'declined',
  declineCode: code || 'generic_decline',
  processorResponse: response ?? '',
});

/**
 * What an intent says of its attempt (docs.stripe.com/payments/paymentintents/lifecycle). An intent
 * of another customer, sum or currency is never taken for the attempt's.
 */
export function outcomeOfIntent(
  { intent, made: { subscriptionId } }: Read,
  order: ChargeRequest,
  plan: Plan,
): GatewayOutcome {
  const customerId = idOf(intent.customer);
  const ours =
    customerId === order.customerId &&
    intent.amount === order.attempt.amount &&
    intent.currency === plan.currency.toLowerCase();
  if (!ours || !customerId) {
    const taken =
      intent.status === 'succeeded'
        ? { taken: { paymentId: intent.id, amount: intent.amount_received } }
        : {};
    return { kind: 'rejected', reason: 'foreign intent', ...taken };
  }
  const failure = intent.last_payment_error;
  switch (intent.status) {
    case 'succeeded':
      return {
        kind: 'active',
        charge: {
          subscriptionId,
          paymentId: intent.id,
          customerId,
          methodId: idOf(intent.payment_method) ?? '',
          amount: intent.amount_received,
          currency: plan.currency,
        },
      };
    case 'requires_action':
      return { kind: 'challenge', paymentId: intent.id, secret: intent.client_secret ?? '' };
    case 'requires_payment_method':
      return failure
        ? declined(failure.decline_code ?? failure.code, failure.message)
        : { kind: 'unfinished' };
    case 'requires_confirmation':
      return { kind: 'unfinished' };
    case 'canceled':
      return failure
        ? declined(failure.decline_code ?? failure.code, failure.message)
        : { kind: 'rejected', reason: 'canceled' };
    default:
      return { kind: 'unknown' };
  }
}

const definite = new Set([400, 402, 404]);

/** Whether Stripe refused a call as wrong, so that no part of it was carried out. */
export const isRefused = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && definite.has(error.statusCode ?? 0);

/**
 * What a refused call says: a card error is the bank's no; a request that Stripe finds wrong was
 * carried out in no part. Anything else (also 409, the same call still under way) may have been.
 *
 * @throws the error itself when it says nothing definite
 */
export function outcomeOfError(error: unknown): GatewayOutcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    // The client gives a decline code that the bank did not send as an empty text.
    return declined(error.decline_code || error.code, error.message);
  }
  if (isRefused(error)) {
    return { kind: 'rejected', reason: [error.code, error.param].filter(Boolean).join(' ') };
  }
  throw error;
}
