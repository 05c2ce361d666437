import type { Plan } from '../../../catalog/rules/plans.ts';
import { hourMs, minuteMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import { subtract } from '../../../platform/types.ts';
import { sendLimitMs } from '../../purchase/attempt.ts';
import { type ChargeRequest, type Gateway, planFor } from '../../purchase/gateway.ts';
import { unusedCredit } from '../../purchase/plan-change.ts';
import type { GatewayOutcome } from '../../purchase/state.ts';
import { type Account, BraintreeAmbiguousError, braintreeCredentials, rest } from './client.ts';
import { authenticationFailed, type Sale, type Verdict, verdictOf } from './outcome.ts';
import { changePlan } from './plan-change.ts';
import { charge, refund, reverse, saleBy, salesOf, taxOf } from './sale.ts';
import { movementsOf, statement } from './statement.ts';
import { cancelSubscription, subscribe } from './subscription.ts';
import {
  chargeReadiness,
  createVerificationNonce,
  fingerprintOf,
  isChallengedCard,
  isConsumed,
} from './three-d-secure.ts';
import { textOf } from './xml.ts';

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
const customerTaken = '91609';
const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

const active = (
  account: Account,
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
    tax: taxOf(account, attempt, attempt.amount),
    currency: plan.currency,
  },
});

async function customerOf(account: Account, id: string, email: string) {
  const created = await rest(account, 'POST', '/customers', { customer: { id, email } });
  const exists = created.kind === 'refused' && created.codes.includes(customerTaken);
  if (created.kind === 'refused' && created.codes.length > 0 && !exists) return undefined;
  const found = exists
    ? await rest(account, 'GET', `/customers/${encodeURIComponent(id)}`)
    : created;
  const globalId = found.kind === 'done' ? textOf(found.body, 'customer', 'global-id') : '';
  const same = found.kind === 'done' && textOf(found.body, 'customer', 'id') === id;
  if (!globalId || !same) throw new BraintreeAmbiguousError('no customer');
  return globalId;
}

/**
 * Today's payment is a transaction with the attempt's id as order id. The renewals are a subscription with the
 * attempt's id, whose free trial is the period paid today. The payment comes first: if the subscription is definitely
 * refused, the payment is voided or refunded. A sale is sent once, and a second time only with a nonce that the bank
 * asked to verify. Idempotency keys (`apiRequestKey`) are for selected merchants only, and duplicate checking may be
 * off or expired. A sale whose reply was lost is searched by its order id until it is found or cannot exist.
 */
export function braintreeGateway(env: Env, signal?: AbortSignal): Gateway {
  const account = { ...braintreeCredentials(env), signal };

  async function reversed(sale: Sale, reason: string): Promise<GatewayOutcome> {
    return { kind: 'rejected', reason, reversed: await movementsOf(account, sale.legacyId) };
  }

  async function undo(sale: Sale, reason: string): Promise<GatewayOutcome> {
    const reply = await reverse(account, sale);
    if (reply.kind === 'done') return reversed(sale, reason);
    throw new BraintreeAmbiguousError(`reversal ${reply.codes}`);
  }

  const outcomeOf = async (
    sale: Sale,
    verdict: Exclude<Verdict, { kind: 'paid' | 'needs_verification' }>,
  ) => (verdict.kind === 'reversed' ? reversed(sale, verdict.reason) : verdict);

  async function finish(request: ChargeRequest, sale: Sale): Promise<GatewayOutcome> {
    const plan = planFor(request);
    if (!request.attempt.paymentId) request.record({ paymentId: sale.legacyId });
    if (plan.period === 'once') return active(account, request, plan, sale);
    const token = sale.paymentMethod?.legacyId;
    if (!token) return undo(sale, 'payment method not saved');
    const { id, coupon } = request.attempt;
    const reply = await subscribe(account, { id, plan, coupon, token, startsAt: request.renewsAt });
    if (reply.kind === 'refused') {
      return undo(sale, `subscription refused ${reply.codes.join(' ')}`);
    }
    const { status } = reply.subscription;
    if (status === 'Canceled' || status === 'Expired') {
      return undo(sale, 'subscription ended');
    }
    return active(account, request, plan, sale);
  }

  /** @param nonce to verify by 3-D Secure; empty if the browser has to create a new one */
  const challenge = (nonce: string): GatewayOutcome => ({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });

  /** The bank requires a verified card. A card that was verified already is declined. */
  async function verificationOutcome(request: ChargeRequest, sale: Sale): Promise<GatewayOutcome> {
    const { attempt, methodId } = request;
    if (attempt.challengedAt !== null && attempt.nonce) return authenticationFailed;
    const saved = !attempt.nonce && methodId ? sale.paymentMethod?.legacyId : undefined;
    const nonce = saved ? await createVerificationNonce(account, saved) : '';
    return nonce === null ? authenticationFailed : challenge(nonce);
  }

  async function cancelIfRefused(request: ChargeRequest, sale: Sale): Promise<GatewayOutcome> {
    const verdict = verdictOf(sale, request, planFor(request));
    if (verdict.kind === 'paid') return finish(request, sale);
    return verdict.kind === 'needs_verification'
      ? verificationOutcome(request, sale)
      : outcomeOf(sale, verdict);
  }

  async function salesFor({ attempt }: ChargeRequest): Promise<Sale[]> {
    const known = attempt.paymentId && (await saleBy(account, attempt.paymentId));
    return known ? [known] : salesOf(account, attempt.id);
  }

  async function currentSale(request: ChargeRequest) {
    const sales = await salesFor(request);
    const judged = sales.map((sale) => ({
      sale,
      verdict: verdictOf(sale, request, planFor(request)),
    }));
    return (
      judged.find(({ verdict }) => verdict.kind === 'paid') ??
      judged.find(({ verdict }) => verdict.kind === 'unknown') ??
      judged[0]
    );
  }

  /** The search found no sale. A consumed nonce means that there is one that the index does not show yet. */
  async function outcomeWithoutSale({ attempt }: ChargeRequest): Promise<GatewayOutcome> {
    const consumed = attempt.sentAt && attempt.nonce && (await isConsumed(account, attempt.nonce));
    return consumed ? { kind: 'unknown' } : expired;
  }

  async function chargeOnce(request: ChargeRequest): Promise<GatewayOutcome> {
    const { attempt } = request;
    if (!(await isChallengedCard(account, attempt))) return authenticationFailed;
    const ready = attempt.nonce ? await chargeReadiness(account, attempt.nonce) : 'go';
    if (Date.now() - attempt.openedAt > lastSendMs) return { kind: 'unknown' };
    if (ready === 'failed') return authenticationFailed;
    if (ready === 'verify') return challenge(attempt.nonce ?? '');
    const now = Date.now();
    request.record({ sentAt: now, chargedAt: now });
    const reply = await charge(account, request, planFor(request)).catch((error) => {
      if (!(error instanceof BraintreeAmbiguousError && error.isUnexecuted)) throw error;
      return { kind: 'unavailable', reason: error.code } as const;
    });
    if (reply.kind === 'unavailable') return reply;
    if (reply.kind === 'refused') {
      return { kind: 'rejected', reason: `charge refused ${reply.codes.join(' ')}` };
    }
    return cancelIfRefused(request, reply.data);
  }

  async function cancelUnpaid(request: ChargeRequest): Promise<GatewayOutcome> {
    const { attempt } = request;
    const found = await currentSale(request);
    if (found?.verdict.kind === 'paid') return finish(request, found.sale);
    if (found?.verdict.kind === 'unknown') return { kind: 'unknown' };
    // After a challenge there may be a second sale, which the index does not show yet.
    const complete = found && attempt.challengedAt === null;
    const delayMs = attempt.nonce ? searchDelayMs : savedCardDelayMs;
    if (!complete && Date.now() - (attempt.sentAt ?? 0) < delayMs) return { kind: 'unknown' };
    if (!found) return outcomeWithoutSale(request);
    // The sale may have been paid before, so a subscription may exist.
    if (planFor(request).period !== 'once') await cancelSubscription(account, attempt.id);
    if (found.verdict.kind !== 'needs_verification') return outcomeOf(found.sale, found.verdict);
    const inTime = Date.now() - attempt.openedAt < sendLimitMs;
    return inTime && attempt.state === 'sent' ? verificationOutcome(request, found.sale) : expired;
  }

  return {
    customer: (id, email) => customerOf(account, id, email),

    async forget(id) {
      const path = `/customers/${encodeURIComponent(id)}`;
      const reply = await rest(account, 'PUT', path, { customer: { email: '' } });
      if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`customer ${reply.codes}`);
    },

    fingerprint: (nonce) => fingerprintOf(account, nonce),

    charge: chargeOnce,

    async lookUp(request): Promise<GatewayOutcome> {
      const found = await currentSale(request);
      if (!found) return { kind: 'none' };
      const { sale, verdict } = found;
      if (verdict.kind === 'needs_verification') return challenge('');
      return verdict.kind === 'paid'
        ? active(account, request, planFor(request), sale)
        : outcomeOf(sale, verdict);
    },

    cancelUnpaid,

    statement: (request) => statement(account, request, Date.now()),

    async cancel({ attempt, owned }) {
      const id = owned?.subscriptionId ?? attempt.charge?.subscriptionId ?? attempt.id;
      await cancelSubscription(account, id);
    },

    // Braintree prorates only between plans with the same billing cycle (error 91922), so we calculate the credit.
    async quote(_order, plan, at, running) {
      const credit = unusedCredit(running, at);
      return { amount: subtract(plan.price, credit), credit };
    },

    change: (request) => changePlan(account, { charge: chargeOnce, cancelUnpaid }, request),

    refund: (_order, paymentId, amount, request) => refund(account, paymentId, amount, request),
  };
}
