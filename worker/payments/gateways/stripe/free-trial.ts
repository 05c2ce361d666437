import type Stripe from 'stripe';
import type { RenewingPeriod } from '../../../catalog/rules/plans.ts';
import { minuteMs } from '../../../platform/durations.ts';
import { minor, paymentIdOf } from '../../../platform/types.ts';
import {
  type ChargeRequest,
  type Gateway,
  providerState,
  stripeStates,
} from '../../purchase/gateway.ts';
import { sendLimitMs } from '../../purchase/gateway-try.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';
import { endNow } from './cancel-resume.ts';
import { idOf } from './client.ts';
import type { StripeConfig, threeDSecureOptions } from './config.ts';
import { startSubscription, stepKey, subscriptionRequest } from './create-subscription.ts';
import { declinedSetup, outcomeOfError } from './outcome.ts';
import { locateCustomer } from './tax.ts';

const lastSendMs = sendLimitMs - 45_000;
/** A call whose reply was lost has been executed by then. */
const settledMs = sendLimitMs + 5 * minuteMs;

const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

interface TrialConfig extends StripeConfig {
  threeDSecure: ReturnType<typeof threeDSecureOptions>;
}

async function outcomeOfTrial(
  { stripe }: StripeConfig,
  { attempt, customerId }: ChargeRequest,
  { id, customer, status, default_payment_method: method }: Stripe.Subscription,
): Promise<GatewayOutcome> {
  if (idOf(customer) !== customerId || status === 'incomplete') {
    await endNow(stripe, id);
    return { kind: 'rejected', reason: 'foreign subscription' };
  }
  if (providerState(stripeStates, status) === 'ended') return expired;
  const methodId = idOf(method);
  const { currency } = attempt.plan;
  const ids = { subscriptionId: id, paymentId: null, customerId, methodId };
  return { kind: 'active', charge: { ...ids, amount: minor(0), currency } };
}

async function startedTrial(config: StripeConfig, request: ChargeRequest) {
  const subscription = await subscriptionRequest(config.stripe, request);
  return subscription ? outcomeOfTrial(config, request, subscription) : null;
}

function outcomeOfSetup(intent: Stripe.SetupIntent, { customerId }: ChargeRequest): GatewayOutcome {
  if (idOf(intent.customer) !== customerId) return { kind: 'rejected', reason: 'foreign setup' };
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'unfinished' };
    case 'requires_action': {
      const secret = intent.client_secret ?? '';
      return { kind: 'challenge', paymentId: paymentIdOf(intent.id), secret };
    }
    case 'requires_payment_method':
      return declinedSetup(intent.last_setup_error);
    case 'canceled':
      return { kind: 'rejected', reason: 'canceled' };
    default:
      return { kind: 'unknown' };
  }
}

async function setUp(config: TrialConfig, request: ChargeRequest): Promise<Stripe.SetupIntent> {
  const { stripe, threeDSecure } = config;
  const { attempt, customerId: customer, account } = request;
  if (attempt.paymentId) return stripe.setupIntents.retrieve(attempt.paymentId);
  if (config.taxed) await locateCustomer(stripe, request);
  const intent = await stripe.setupIntents.create(
    {
      customer,
      payment_method: attempt.nonce ?? '',
      usage: 'off_session',
      confirm: true,
      use_stripe_sdk: true,
      // A method that may redirect would need a return URL.
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      metadata: { account, attempt_id: attempt.id },
      ...threeDSecure,
    },
    stepKey(request, 'setup'),
  );
  request.record({ paymentId: paymentIdOf(intent.id) });
  return intent;
}

async function charge(config: TrialConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const { attempt } = request;
  request.record({ sentAt: Date.now() });
  const known = attempt.chargedAt === null ? null : await startedTrial(config, request);
  if (known) return known;
  let intent: Stripe.SetupIntent;
  try {
    intent = await setUp(config, request);
  } catch (error) {
    return outcomeOfError(error);
  }
  const outcome = outcomeOfSetup(intent, request);
  if (outcome.kind !== 'unfinished') return outcome;
  if (Date.now() - attempt.openedAt > lastSendMs) return { kind: 'unknown' };
  request.record({ chargedAt: Date.now() });
  const plan = { ...attempt.plan, period: attempt.plan.period as RenewingPeriod };
  let started: Stripe.Subscription;
  try {
    started = await startSubscription(config, request, plan, idOf(intent.payment_method));
  } catch (error) {
    const refused = outcomeOfError(error);
    return (await startedTrial(config, request)) ?? refused;
  }
  return outcomeOfTrial(config, request, started);
}

async function lookUp(config: TrialConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const started = await startedTrial(config, request);
  if (started) return started;
  const { paymentId } = request.attempt;
  if (!paymentId) return { kind: 'none' };
  return outcomeOfSetup(await config.stripe.setupIntents.retrieve(paymentId), request);
}

async function cancelUnpaid(config: TrialConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const { chargedAt, openedAt } = request.attempt;
  const found = await lookUp(config, request);
  if (found.kind === 'active' || found.kind === 'declined' || found.kind === 'rejected')
    return found;
  const mayStart = chargedAt !== null && Date.now() - openedAt < settledMs;
  return mayStart ? { kind: 'unknown' } : expired;
}

/**
 * A SetupIntent verifies the card for later payments off session, with 3-D Secure where the bank asks
 * (docs.stripe.com/payments/save-and-reuse). Then a subscription starts with `trial_period_days`: its first invoice is
 * of nothing, and the trial's end charges the verified method (docs.stripe.com/billing/subscriptions/trials/free-trials).
 * Nothing can be charged before the subscription exists, so what is not verified needs no cancellation.
 */
export const stripeTrials = (
  config: TrialConfig,
): Pick<Gateway, 'charge' | 'lookUp' | 'cancelUnpaid'> => ({
  charge: (request) => charge(config, request),
  lookUp: (request) => lookUp(config, request),
  cancelUnpaid: (request) => cancelUnpaid(config, request),
});
