import { minuteMs } from '../../../platform/durations.ts';
import { minor } from '../../../platform/types.ts';
import type { ChargeRequest, Gateway } from '../../purchase/gateway.ts';
import { sendLimitMs } from '../../purchase/gateway-try.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';
import { readMethod, vault } from './card.ts';
import { BraintreeAmbiguousError, type BraintreeConfig, hasMerchantAccount } from './client.ts';
import { authenticationFailed } from './outcome.ts';
import { readSubscription, subscribe } from './subscription.ts';
import { chargeReadiness, isChallengedCard } from './three-d-secure.ts';
import { textOf, type Xml } from './xml.ts';

const lastSendMs = sendLimitMs - 30_000;
const vaultMs = 2 * minuteMs;

const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

const active = ({ attempt, customerId }: ChargeRequest, methodId: string): GatewayOutcome => ({
  kind: 'active',
  charge: {
    subscriptionId: attempt.id,
    paymentId: null,
    customerId,
    methodId,
    amount: minor(0),
    currency: attempt.plan.currency,
  },
});

async function start(
  config: BraintreeConfig,
  request: ChargeRequest,
  methodId: string,
): Promise<GatewayOutcome> {
  const { id, plan } = request.attempt;
  request.record({ chargedAt: Date.now() });
  const reply = await subscribe(config, { id, plan, coupon: null, token: id });
  if (reply.kind === 'refused')
    return { kind: 'rejected', reason: `subscription refused ${reply.codes.join(' ')}` };
  const isOver = ['Canceled', 'Expired'].includes(reply.subscription.status);
  return isOver ? { kind: 'rejected', reason: 'subscription ended' } : active(request, methodId);
}

async function savedMethod(config: BraintreeConfig, { attempt, account }: ChargeRequest) {
  const method: Xml | undefined = await readMethod(config, attempt.id);
  if (!method) return null;
  if (textOf(method, 'customer-id') !== account)
    throw new BraintreeAmbiguousError('method of somebody else');
  return textOf(method, 'global-id');
}

async function charge(config: BraintreeConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const { attempt, account } = request;
  const { id, nonce, deviceData, challengedAt, plan } = attempt;
  if (!nonce) return { kind: 'rejected', reason: 'no card' };
  if (!hasMerchantAccount(config, plan.currency))
    return { kind: 'rejected', reason: 'no merchant account' };
  if (!(await isChallengedCard(config, attempt))) return authenticationFailed;
  const ready = await chargeReadiness(config, nonce);
  if (Date.now() - attempt.openedAt > lastSendMs) return { kind: 'unknown' };
  if (ready === 'failed') return authenticationFailed;
  const challenge = { kind: 'challenge', paymentId: null, secret: nonce } as const;
  if (ready === 'verify') return challengedAt === null ? challenge : authenticationFailed;
  request.record({ sentAt: Date.now() });
  const update = { id, nonce, deviceData, challengedAt };
  const verified = await vault(config, { account, currency: plan.currency, update });
  switch (verified.kind) {
    case 'saved':
      return start(config, request, verified.methodId);
    case 'challenge':
      return { kind: 'challenge', paymentId: null, secret: verified.secret };
    case 'declined':
      return verified;
    case 'rejected':
      return { kind: 'rejected', reason: 'card refused' };
    default:
      return verified satisfies never;
  }
}

async function lookUp(config: BraintreeConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  if (!(await readSubscription(config, request.attempt.id))) return { kind: 'none' };
  return active(request, (await savedMethod(config, request)) ?? '');
}

/** A verified card starts its trial, however late: the buyer agreed to it, and may cancel it. */
async function cancelUnpaid(
  config: BraintreeConfig,
  request: ChargeRequest,
): Promise<GatewayOutcome> {
  const methodId = await savedMethod(config, request);
  if (methodId !== null) return start(config, request, methodId);
  const isRunning = Date.now() - (request.attempt.sentAt ?? 0) < vaultMs;
  return isRunning ? { kind: 'unknown' } : expired;
}

/**
 * The card is saved under the attempt's id with `verify_card`, after 3-D Secure where it is required. Then a
 * subscription of that id starts with a trial: "the customer will not be charged until the trial period is over"
 * (developer.paypal.com/braintree/docs/guides/recurring-billing/create#trial-periods). Both ids are ours, so each call
 * may be repeated.
 */
export const braintreeTrials = (
  config: BraintreeConfig,
): Pick<Gateway, 'charge' | 'lookUp' | 'cancelUnpaid'> => ({
  charge: (request) => charge(config, request),
  lookUp: (request) => lookUp(config, request),
  cancelUnpaid: (request) => cancelUnpaid(config, request),
});
