import { afterRenewal } from '../../../catalog/rules/plans.ts';
import { attemptIdOf } from '../../../platform/types.ts';
import type { ChangeOutcome } from '../../purchase/change-state.ts';
import type { ChangeRequest, ChargeRequest } from '../../purchase/gateway.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';
import { BraintreeAmbiguousError, type BraintreeConfig } from './client.ts';
import { cancelSubscription, readSubscription, subscribe } from './subscription.ts';

interface Sales {
  charge(request: ChargeRequest): Promise<GatewayOutcome>;
  cancelUnpaid(request: ChargeRequest): Promise<GatewayOutcome>;
}

const currentIdOf = ({ attempt, owned }: ChargeRequest): string =>
  owned?.subscriptionId ?? attempt.charge?.subscriptionId ?? attempt.id;

/**
 * Creates a subscription that is first charged when the old one would be, at a pause's end, or at the end of a period
 * that a late payment began; then cancels the old one. Braintree has no pause, cannot resume an ended subscription, and cannot change a billing cycle
 * (developer.paypal.com/braintree/docs/guides/recurring-billing/manage).
 */
async function replaceSubscription(
  config: BraintreeConfig,
  { change, attempt, recordChange, mayStart, ...order }: ChangeRequest,
): Promise<ChangeOutcome> {
  const before = currentIdOf({ attempt, ...order });
  const made = await readSubscription(config, change.id);
  if (!made) {
    if (!mayStart) return { kind: 'none' };
    const old = await readSubscription(config, before);
    if (!old?.token) throw new BraintreeAmbiguousError('no payment method');
    recordChange({ sentAt: Date.now() });
    const reply = await subscribe(config, {
      id: change.id,
      plan: change.plan,
      coupon: attempt.coupon,
      token: old.token,
      startsAt: change.next.at,
    });
    if (reply.kind === 'refused') {
      return { kind: 'rejected', reason: `subscription refused ${reply.codes.join(' ')}` };
    }
  }
  await cancelSubscription(config, before);
  return { kind: 'done', subscriptionId: change.id };
}

/** Charges the saved card by a sale with the change's id, then replaces the subscription. */
async function payAndReplace(
  config: BraintreeConfig,
  { charge, cancelUnpaid }: Sales,
  { change, mayStart, mayChallenge, recordChange, ...order }: ChangeRequest,
): Promise<ChangeOutcome> {
  const { id, amount, state, openedAt, sentAt, paymentId, nonce, challengedAt } = change;
  // The bank required a challenge before any charge, and it was not answered.
  if (state === 'challenged') return { kind: 'declined' };
  if (state === 'open' && !mayStart) return { kind: 'none' };
  const challengedNonce = nonce && (change.challenge?.secret.split('#')[0] ?? '');
  const plan = afterRenewal(change.plan);
  const sale: ChargeRequest = {
    ...order,
    renewsAt: change.next.at,
    attempt: {
      ...order.attempt,
      ...{ id: attemptIdOf(id), plan, amount, openedAt, sentAt, paymentId },
      ...{ nonce, challengedNonce, deviceData: null, challengedAt, charge: null },
      state: state === 'open' ? 'open' : 'sent',
    },
    record: ({ sentAt: sent, paymentId: paid }) =>
      recordChange({ ...(sent && { sentAt: sent }), ...(paid && { paymentId: paid }) }),
  };
  const outcome = state === 'open' ? await charge(sale) : await cancelUnpaid(sale);
  switch (outcome.kind) {
    case 'active': {
      await cancelSubscription(config, currentIdOf(order));
      const { paymentId: paid, amount: sum, tax } = outcome.charge;
      if (paid === null) return { kind: 'unknown' };
      return { kind: 'done', subscriptionId: id, payment: { id: paid, amount: sum, tax } };
    }
    case 'challenge':
      return mayChallenge && outcome.secret
        ? { kind: 'challenge', intentId: null, secret: outcome.secret }
        : { kind: 'declined' };
    case 'declined':
      return { kind: 'declined' };
    case 'rejected':
      return outcome;
    // Definitely not executed.
    case 'unavailable':
      return { kind: 'rejected', reason: outcome.reason };
    case 'processing':
    case 'unfinished':
    case 'none':
    case 'unknown':
      return { kind: 'unknown' };
    default:
      return outcome satisfies never;
  }
}

/** Idempotent: the created objects have the change's id. */
export function changePlan(
  config: BraintreeConfig,
  sales: Sales,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  return request.change.amount > 0
    ? payAndReplace(config, sales, request)
    : replaceSubscription(config, request);
}
