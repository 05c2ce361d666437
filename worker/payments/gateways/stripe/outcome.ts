import Stripe from 'stripe';
import type { Plan } from '../../../catalog/rules/plans.ts';
import { type Minor, minor, type PaymentId, paymentIdOf } from '../../../platform/types.ts';
import type { ChargeRequest } from '../../purchase/gateway.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';
import { idOf } from './client.ts';

export interface Created {
  subscriptionId: string | null;
  invoiceId: string | null;
  paymentId: PaymentId;
  tax?: Minor | undefined;
}

export interface Read {
  intent: Stripe.PaymentIntent;
  made: Created;
}

/** After a bank redirect, the account behind it (docs.stripe.com/payments/ideal/save-during-payment). */
function methodOf({ payment_method, latest_charge }: Stripe.PaymentIntent): string {
  const details = typeof latest_charge === 'object' ? latest_charge?.payment_method_details : null;
  const saved = (details?.ideal ?? details?.bancontact)?.generated_sepa_debit ?? null;
  return idOf(saved) || idOf(payment_method);
}

const declined = (code: string | undefined, response: string | undefined): GatewayOutcome => ({
  kind: 'declined',
  declineCode: code || 'generic_decline',
  processorResponse: response ?? '',
});

export const declinedSetup = (failure: Stripe.SetupIntent.LastSetupError | null): GatewayOutcome =>
  declined(failure?.decline_code || failure?.code, failure?.message);

/** Rejects an intent of another customer, amount or currency (docs.stripe.com/payments/paymentintents/lifecycle). */
export function outcomeOfIntent(
  { intent, made: { subscriptionId, tax } }: Read,
  request: ChargeRequest,
  plan: Plan,
): GatewayOutcome {
  const customerId = idOf(intent.customer);
  const paymentId = paymentIdOf(intent.id);
  const amount = minor(intent.amount_received);
  const ours =
    customerId === request.customerId &&
    intent.amount === request.attempt.amount &&
    intent.currency === plan.currency.toLowerCase();
  if (!ours || !customerId) {
    const keptCapture = intent.status === 'succeeded' ? { keptCapture: { paymentId, amount } } : {};
    return { kind: 'rejected', reason: 'foreign intent', ...keptCapture };
  }
  const failure = intent.last_payment_error;
  const charge = { subscriptionId, paymentId, customerId, methodId: methodOf(intent) };
  const { currency } = plan;
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'active', charge: { ...charge, amount, tax, currency } };
    case 'processing':
      // Only a debit takes days; a card's result comes with the next look-up.
      return request.attempt.bank
        ? { kind: 'processing', charge: { ...charge, amount: request.attempt.amount, currency } }
        : { kind: 'unknown' };
    case 'requires_action':
      return { kind: 'challenge', paymentId, secret: intent.client_secret ?? '' };
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

const definiteStatuses = new Set([400, 402, 404]);

export const isRefused = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  definiteStatuses.has(error.statusCode ?? 0);

/**
 * The key was used with other parameters, as before a deploy. The object of that call is looked up; without one the
 * attempt has failed, because the same call is refused each time.
 */
const isKeyReused = (error: unknown): error is Stripe.errors.StripeIdempotencyError =>
  error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400;

/** A card error is a decline, an invalid request a rejection. @throws others, also 409: the call may have been executed */
export function outcomeOfError(error: unknown): GatewayOutcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    // The client reports a missing decline code as an empty string.
    return declined(error.decline_code || error.code, error.message);
  }
  if (isRefused(error)) {
    return { kind: 'rejected', reason: [error.code, error.param].filter(Boolean).join(' ') };
  }
  if (isKeyReused(error)) return { kind: 'rejected', reason: 'idempotency_error' };
  throw error;
}
