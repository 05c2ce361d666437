import { isFreeTrial, type Plan } from '../../../catalog/rules/plans.ts';
import { hourMs, minuteMs } from '../../../platform/durations.ts';
import type { ChargeRequest, Gateway } from '../../purchase/gateway.ts';
import { sendLimitMs } from '../../purchase/gateway-try.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';
import { BraintreeAmbiguousError, type BraintreeConfig } from './client.ts';
import { braintreeTrials } from './free-trial.ts';
import { authenticationFailed, type Sale, type SaleVerdict, verdictOf } from './outcome.ts';
import { charge, reverse, saleBy, salesOf, taxOf } from './sale.ts';
import { readMovements } from './statement.ts';
import { cancelSubscription, subscribe } from './subscription.ts';
import {
  chargeReadiness,
  createVerificationNonce,
  isChallengedCard,
  isConsumed,
} from './three-d-secure.ts';

const lastSendMs = sendLimitMs - 30_000;
/**
 * If the search by order id does not find a sale this long after a send, the sale does not exist. A call may run
 * for a minute at Braintree (its official clients wait that long), and the index lags by another.
 */
const searchDelayMs = 5 * minuteMs;
/**
 * The search delay for a saved card. Unlike a nonce, it does not show whether it was charged, and Braintree
 * documents no limit for the lag. Shorter than the day after which an operator is alerted.
 */
const savedCardDelayMs = 23 * hourMs;
const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

const active = (
  config: BraintreeConfig,
  { attempt, customerId }: ChargeRequest,
  plan: Plan,
  sale: Sale,
): GatewayOutcome => ({
  kind: 'active',
  charge: {
    subscriptionId: plan.period === 'once' ? null : attempt.id,
    paymentId: sale.legacyId,
    customerId,
    methodId: sale.paymentMethod?.id ?? '',
    amount: attempt.amount,
    tax: taxOf(config, attempt, attempt.amount),
    currency: plan.currency,
  },
});

async function reversed(
  config: BraintreeConfig,
  sale: Sale,
  reason: string,
): Promise<GatewayOutcome> {
  return { kind: 'rejected', reason, reversed: await readMovements(config, sale.legacyId) };
}

async function undo(config: BraintreeConfig, sale: Sale, reason: string): Promise<GatewayOutcome> {
  const reply = await reverse(config, sale);
  if (reply.kind === 'done') return reversed(config, sale, reason);
  throw new BraintreeAmbiguousError(`reversal ${reply.codes}`);
}

const outcomeOf = async (
  config: BraintreeConfig,
  sale: Sale,
  verdict: Exclude<SaleVerdict, { kind: 'paid' | 'needs_verification' }>,
) => (verdict.kind === 'reversed' ? reversed(config, sale, verdict.reason) : verdict);

async function finish(
  config: BraintreeConfig,
  request: ChargeRequest,
  sale: Sale,
): Promise<GatewayOutcome> {
  const { plan } = request.attempt;
  if (!request.attempt.paymentId) request.record({ paymentId: sale.legacyId });
  if (plan.period === 'once') return active(config, request, plan, sale);
  const token = sale.paymentMethod?.legacyId;
  if (!token) return undo(config, sale, 'payment method not saved');
  const { id, coupon } = request.attempt;
  const reply = await subscribe(config, { id, plan, coupon, token, startsAt: request.renewsAt });
  if (reply.kind === 'refused') {
    return undo(config, sale, `subscription refused ${reply.codes.join(' ')}`);
  }
  const { status } = reply.subscription;
  if (status === 'Canceled' || status === 'Expired') {
    return undo(config, sale, 'subscription ended');
  }
  return active(config, request, plan, sale);
}

/** @param nonce to verify by 3-D Secure; empty if the browser has to create a new one */
const challenge = (nonce: string): GatewayOutcome => ({
  kind: 'challenge',
  paymentId: null,
  secret: nonce,
});

/** The bank requires a verified card. A card that was verified already is declined. */
async function verificationOutcome(
  config: BraintreeConfig,
  { attempt, methodId }: ChargeRequest,
  sale: Sale,
): Promise<GatewayOutcome> {
  if (attempt.challengedAt !== null && attempt.nonce) return authenticationFailed;
  const saved = !attempt.nonce && methodId ? sale.paymentMethod?.legacyId : undefined;
  const nonce = saved ? await createVerificationNonce(config, saved) : '';
  return nonce === null ? authenticationFailed : challenge(nonce);
}

async function salesFor(config: BraintreeConfig, { attempt }: ChargeRequest): Promise<Sale[]> {
  const known = attempt.paymentId && (await saleBy(config, attempt.paymentId));
  return known ? [known] : salesOf(config, attempt.id);
}

async function currentSale(config: BraintreeConfig, request: ChargeRequest) {
  const sales = await salesFor(config, request);
  const judged = sales.map((sale) => ({
    sale,
    verdict: verdictOf(sale, request, request.attempt.plan),
  }));
  return (
    judged.find(({ verdict }) => verdict.kind === 'paid') ??
    judged.find(({ verdict }) => verdict.kind === 'unknown') ??
    judged[0]
  );
}

/** The search found no sale. A consumed nonce means that there is one that the index does not show yet. */
async function outcomeWithoutSale(
  config: BraintreeConfig,
  { attempt }: ChargeRequest,
): Promise<GatewayOutcome> {
  const consumed = attempt.sentAt && attempt.nonce && (await isConsumed(config, attempt.nonce));
  return consumed ? { kind: 'unknown' } : expired;
}

async function chargeOnce(
  config: BraintreeConfig,
  request: ChargeRequest,
): Promise<GatewayOutcome> {
  const { attempt } = request;
  if (!(await isChallengedCard(config, attempt))) return authenticationFailed;
  const ready = attempt.nonce ? await chargeReadiness(config, attempt.nonce) : 'go';
  if (Date.now() - attempt.openedAt > lastSendMs) return { kind: 'unknown' };
  if (ready === 'failed') return authenticationFailed;
  if (ready === 'verify') return challenge(attempt.nonce ?? '');
  const now = Date.now();
  request.record({ sentAt: now, chargedAt: now });
  const { plan } = request.attempt;
  const reply = await charge(config, request, plan).catch((error) => {
    if (!(error instanceof BraintreeAmbiguousError && error.isUnexecuted)) throw error;
    return { kind: 'unavailable', reason: error.code } as const;
  });
  if (reply.kind === 'unavailable') return reply;
  if (reply.kind === 'refused') {
    return { kind: 'rejected', reason: `charge refused ${reply.codes.join(' ')}` };
  }
  const { data: sale } = reply;
  const verdict = verdictOf(sale, request, plan);
  if (verdict.kind === 'paid') return finish(config, request, sale);
  return verdict.kind === 'needs_verification'
    ? verificationOutcome(config, request, sale)
    : outcomeOf(config, sale, verdict);
}

async function lookUp(config: BraintreeConfig, request: ChargeRequest): Promise<GatewayOutcome> {
  const found = await currentSale(config, request);
  if (!found) return { kind: 'none' };
  const { sale, verdict } = found;
  if (verdict.kind === 'needs_verification') return challenge('');
  return verdict.kind === 'paid'
    ? active(config, request, request.attempt.plan, sale)
    : outcomeOf(config, sale, verdict);
}

async function cancelUnpaid(
  config: BraintreeConfig,
  request: ChargeRequest,
): Promise<GatewayOutcome> {
  const { attempt } = request;
  const found = await currentSale(config, request);
  if (found?.verdict.kind === 'paid') return finish(config, request, found.sale);
  if (found?.verdict.kind === 'unknown') return { kind: 'unknown' };
  // After a challenge there may be a second sale, which the index does not show yet.
  const complete = found && attempt.challengedAt === null;
  const delayMs = attempt.nonce ? searchDelayMs : savedCardDelayMs;
  if (!complete && Date.now() - (attempt.sentAt ?? 0) < delayMs) return { kind: 'unknown' };
  if (!found) return outcomeWithoutSale(config, request);
  // The sale may have been paid before, so a subscription may exist.
  if (request.attempt.plan.period !== 'once') await cancelSubscription(config, attempt.id);
  const { sale, verdict } = found;
  if (verdict.kind !== 'needs_verification') return outcomeOf(config, sale, verdict);
  const inTime = Date.now() - attempt.openedAt < sendLimitMs;
  return inTime && attempt.state === 'sent' ? verificationOutcome(config, request, sale) : expired;
}

/**
 * Today's payment is a transaction with the attempt's id as order id. The renewals are a subscription with the
 * attempt's id, whose free trial is the period paid today. The payment comes first: if the subscription is definitely
 * refused, the payment is voided or refunded. A sale is sent once, and a second time only with a nonce that the bank
 * asked to verify. Idempotency keys (`apiRequestKey`) are for selected merchants only, and duplicate checking may be
 * off or expired. A sale whose reply was lost is searched by its order id until it is found or cannot exist.
 */
export const braintreeCharges = (
  config: BraintreeConfig,
): Pick<Gateway, 'charge' | 'lookUp' | 'cancelUnpaid'> => {
  const trials = braintreeTrials(config);
  const isTrial = ({ attempt }: ChargeRequest) => isFreeTrial(attempt.plan);
  return {
    charge: (request) => (isTrial(request) ? trials.charge(request) : chargeOnce(config, request)),
    lookUp: (request) => (isTrial(request) ? trials.lookUp(request) : lookUp(config, request)),
    cancelUnpaid: (request) =>
      isTrial(request) ? trials.cancelUnpaid(request) : cancelUnpaid(config, request),
  };
};
