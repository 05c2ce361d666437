import type Stripe from 'stripe';
import { isFreeTrial } from '../../../catalog/rules/plans.ts';
import { isRedirectWallet } from '../../../catalog/rules/stripe-wallets.ts';
import type { ChargeRequest, Gateway } from '../../purchase/gateway.ts';
import { sendLimitMs } from '../../purchase/gateway-try.ts';
import type { Attempt, GatewayOutcome } from '../../purchase/state.ts';
import { endNow } from './cancel-resume.ts';
import { onceWithFullTimeout } from './client.ts';
import type { StripeConfig, threeDSecureOptions } from './config.ts';
import { createSubscription, find, stepKey } from './create-subscription.ts';
import { mandateOf } from './debit.ts';
import { stripeTrials } from './free-trial.ts';
import { isPaidElsewhere } from './method-types.ts';
import { type Created, isRefused, outcomeOfError, outcomeOfIntent, type Read } from './outcome.ts';
import { locateCustomer } from './tax.ts';

const lastSendMs = sendLimitMs - 45_000;

const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

interface ChargeConfig extends StripeConfig {
  threeDSecure: ReturnType<typeof threeDSecureOptions>;
  /** Whether another gateway could take the payment. */
  hasOthers: boolean;
}

function confirmation(
  { bank, wallet, nonce, acceptance }: Attempt,
  { threeDSecure }: ChargeConfig,
): Stripe.PaymentIntentConfirmParams {
  // Also if another method is named, because a card may be sent under that name.
  if (nonce) return { ...threeDSecure, ...(acceptance && mandateOf(acceptance)) };
  // A saved wallet has its mandate, and needs a return URL in case it challenges the payer again.
  if (acceptance) return { return_url: acceptance.returnUrl };
  return bank || isRedirectWallet(wallet) ? {} : threeDSecure;
}

async function attachMethod(
  { stripe, taxed }: StripeConfig,
  request: ChargeRequest,
): Promise<string> {
  const { attempt, customerId: customer, methodId } = request;
  if (!attempt.nonce) return methodId ?? '';
  if (taxed) await locateCustomer(stripe, request);
  if (isPaidElsewhere(attempt)) return attempt.nonce;
  const key = { idempotencyKey: `${attempt.id}:attach` };
  const { id } = await stripe.paymentMethods.attach(attempt.nonce, { customer }, key);
  return id;
}

const read = async ({ stripe }: StripeConfig, made: Created): Promise<Read> => ({
  intent: await stripe.paymentIntents.retrieve(made.paymentId, { expand: ['latest_charge'] }),
  made,
});

const outcomeOf = (request: ChargeRequest, found: Read) =>
  outcomeOfIntent(found, request, request.attempt.plan);

/** A trial could continue without its first invoice, so the subscription is ended too. */
async function close(
  { stripe }: StripeConfig,
  request: ChargeRequest,
  { paymentId, invoiceId, subscriptionId }: Created,
) {
  if (!invoiceId || !subscriptionId) {
    const { status } = await stripe.paymentIntents.retrieve(paymentId);
    if (status === 'canceled') return;
    await stripe.paymentIntents.cancel(paymentId, {}, stepKey(request, 'cancel'));
    return;
  }
  const { status } = await stripe.invoices.retrieve(invoiceId);
  if (status !== 'void') await stripe.invoices.voidInvoice(invoiceId, {}, stepKey(request, 'void'));
  await endNow(stripe, subscriptionId);
}

/**
 * A declined or rejected attempt must never be paid later. A payment that succeeded but is rejected
 * stays for an operator to refund, but its subscription must not renew.
 */
async function cancelIfRefused(
  config: StripeConfig,
  request: ChargeRequest,
  { intent, made }: Read,
  outcome: GatewayOutcome,
) {
  const failed = outcome.kind === 'declined' || outcome.kind === 'rejected';
  if (failed && intent.status !== 'succeeded') await close(config, request, made);
  else if (failed && made.subscriptionId) await endNow(config.stripe, made.subscriptionId);
  return outcome;
}

/** Stripe refused to create an object, but an earlier call may have created it. */
async function afterRefusal(
  config: StripeConfig,
  request: ChargeRequest,
  outcome: GatewayOutcome,
): Promise<GatewayOutcome> {
  const made = await find(config.stripe, request);
  if (!made) return outcome;
  const found = await read(config, made);
  const now = outcomeOf(request, found);
  return cancelIfRefused(config, request, found, now.kind === 'unfinished' ? outcome : now);
}

async function confirm(
  config: ChargeConfig,
  request: ChargeRequest,
  { intent: { id }, made }: Read,
  method: string,
): Promise<GatewayOutcome> {
  const { rounds } = request.attempt;
  try {
    const intent = await config.stripe.paymentIntents.confirm(
      id,
      // Without a return URL, Stripe.js needs `use_stripe_sdk` to show the challenge.
      { payment_method: method, use_stripe_sdk: true, ...confirmation(request.attempt, config) },
      {
        // A payment that only the server confirms is confirmed again after each challenge.
        ...stepKey(request, rounds > 0 ? `confirm:${rounds}` : 'confirm'),
        ...(config.hasOthers && onceWithFullTimeout),
      },
    );
    const confirmed = { intent, made };
    return cancelIfRefused(config, request, confirmed, outcomeOf(request, confirmed));
  } catch (error) {
    const outcome = outcomeOfError(error);
    // An earlier call with the same key may have paid.
    if (outcome.kind === 'rejected') return afterRefusal(config, request, outcome);
    await close(config, request, made);
    return outcome;
  }
}

async function charge(config: ChargeConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  request.record({ sentAt: Date.now() });
  let method: string;
  let made: Created;
  try {
    method = await attachMethod(config, request);
    made = await createSubscription(config, request, method);
  } catch (error) {
    return afterRefusal(config, request, outcomeOfError(error));
  }
  // Outside the try, because an error of this read is not a refusal: the objects exist.
  const found = await read(config, made);
  const now = outcomeOf(request, found);
  if (now.kind !== 'unfinished') return cancelIfRefused(config, request, found, now);
  if (Date.now() - request.attempt.openedAt > lastSendMs) return { kind: 'unknown' };
  request.record({ chargedAt: Date.now() });
  return confirm(config, request, found, method);
}

async function lookUp(config: StripeConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const made = await find(config.stripe, request);
  return made ? outcomeOf(request, await read(config, made)) : { kind: 'none' };
}

async function cancelUnpaid(config: StripeConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const made = await find(config.stripe, request);
  if (!made) return expired;
  const found = await read(config, made).catch((error) => {
    if (isRefused(error)) return null;
    throw error;
  });
  if (!found) {
    await close(config, request, made);
    return expired;
  }
  const outcome = outcomeOf(request, found);
  const unpaid = outcome.kind === 'challenge' || outcome.kind === 'unfinished';
  return cancelIfRefused(config, request, found, unpaid ? expired : outcome);
}

/** Creates a subscription unpaid (`default_incomplete`), so that a declined card leaves nothing active. */
export const stripeCharges = (
  config: ChargeConfig,
): Pick<Gateway, 'charge' | 'lookUp' | 'cancelUnpaid'> => {
  const trials = stripeTrials(config);
  const isTrial = ({ attempt }: ChargeRequest) => isFreeTrial(attempt.plan);
  return {
    charge: (request) => (isTrial(request) ? trials.charge(request) : charge(config, request)),
    lookUp: (request) => (isTrial(request) ? trials.lookUp(request) : lookUp(config, request)),
    cancelUnpaid: (request) =>
      isTrial(request) ? trials.cancelUnpaid(request) : cancelUnpaid(config, request),
  };
};
