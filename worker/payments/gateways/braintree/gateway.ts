import { type Plan, planById } from '../../../catalog/plans.ts';
import type { Env } from '../../../env.ts';
import { type GatewayOutcome, sendLimit } from '../../rules/attempt.ts';
import type { ChargeRequest, Gateway } from '../../rules/gateway.ts';
import { BraintreeAmbiguousError, rest } from './client.ts';
import { type Account, braintreeCredentials } from './credentials.ts';
import { refund } from './operations.ts';
import { authenticationFailed, type Sale, type Verdict, verdictOf } from './outcome.ts';
import { charge, reverse, saleBy, salesOf } from './sale.ts';
import { moneyOf, statement } from './statement.ts';
import { cancelSubscription, subscribe } from './subscription.ts';
import { fingerprintOf, isSpent, nonceOf, readiness } from './three-d-secure.ts';
import { textOf } from './xml.ts';

/** So that a send with its reply fits into the limit. */
const lastSend = sendLimit - 30_000;
/**
 * So long after a send, what the search by order id does not show was not charged. A call may run for a
 * minute at Braintree (its official clients wait that long), and the index is behind by another one.
 */
const searchDelay = 5 * 60_000;
/**
 * The same for a saved card: unlike a nonce, it does not say whether it was charged, and Braintree
 * promises no time for its index. Ends before the day after which an operator is told.
 */
const savedCardDelay = 23 * 60 * 60_000;
const customerTaken = '91609';
const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

const rowOf = ({ attempt }: ChargeRequest): Plan => {
  const plan = planById(attempt.plan);
  if (!plan) throw new RangeError(`no plan ${attempt.plan}`);
  return plan;
};

const active = (
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
    currency: plan.currency,
  },
});

/** The customer under an id of ours, the account's: an id that is taken is the same customer. */
async function customerOf(account: Account, id: string, email: string) {
  const made = await rest(account, 'POST', '/customers', { customer: { id, email } });
  const taken = made.is === 'refused' && made.codes.includes(customerTaken);
  if (made.is === 'refused' && made.codes.length > 0 && !taken) return undefined;
  const found = taken ? await rest(account, 'GET', `/customers/${encodeURIComponent(id)}`) : made;
  const globalId = found.is === 'done' ? textOf(found.body, 'customer', 'global-id') : '';
  const same = found.is === 'done' && textOf(found.body, 'customer', 'id') === id;
  if (!globalId || !same) throw new BraintreeAmbiguousError('no customer');
  return globalId;
}

/**
 * Braintree behind the Gateway interface. Today's payment is a transaction that carries the attempt
 * as its order id; the renewals are a subscription with the attempt's id, whose free first period is
 * what was paid today. The payment comes first: when its subscription is finally refused, it is
 * voided or refunded, so that nothing is paid without being sold.
 *
 * A sale is sent once, and once more only with a nonce that the bank asked to verify. Idempotency keys
 * (`apiRequestKey`) are for selected merchants only, and duplicate checking may be off or over. A sale
 * whose reply was lost is searched by its order id, until it is found or is surely not there.
 */
export function braintreeGateway(env: Env): Gateway {
  const account = braintreeCredentials(env);

  /** A no about a transaction, with all the money that it moved there and back. */
  async function undone(sale: Sale, reason: string): Promise<GatewayOutcome> {
    return { kind: 'rejected', reason, undone: await moneyOf(account, sale.legacyId) };
  }

  async function undo(sale: Sale, why: string): Promise<GatewayOutcome> {
    const answer = await reverse(account, sale);
    if (answer.is === 'done') return undone(sale, why);
    throw new BraintreeAmbiguousError(`reversal ${answer.codes}`);
  }

  /** A verdict on a sale that neither is paid nor asks. */
  const outcomeOf = async (sale: Sale, verdict: Exclude<Verdict, { kind: 'paid' | 'asks' }>) =>
    verdict.kind === 'gone' ? undone(sale, verdict.reason) : verdict;

  /** The second half of a purchase whose money is there. */
  async function finish(order: ChargeRequest, sale: Sale): Promise<GatewayOutcome> {
    const plan = rowOf(order);
    if (!order.attempt.paymentId) order.record({ paymentId: sale.legacyId });
    if (plan.period === 'once') return active(order, plan, sale);
    const token = sale.paymentMethod?.legacyId;
    if (!token) return undo(sale, 'payment method not saved');
    const { id, coupon } = order.attempt;
    const made = await subscribe(account, { id, plan, coupon, token });
    if ('refused' in made) return undo(sale, `subscription refused ${made.refused.join(' ')}`);
    if (made.status === 'Canceled' || made.status === 'Expired') {
      return undo(sale, 'subscription ended');
    }
    return active(order, plan, sale);
  }

  /** @param nonce what 3-D Secure verifies; empty when the browser has to make a new one */
  const challenge = (nonce: string): GatewayOutcome => ({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });

  /** The bank wants to see a payer whom it has not verified; one whom it has is refused for good. */
  async function asked(order: ChargeRequest, sale: Sale): Promise<GatewayOutcome> {
    const { attempt, methodId } = order;
    if (attempt.challengedAt !== null && attempt.nonce) return authenticationFailed;
    const saved = !attempt.nonce && methodId ? sale.paymentMethod?.legacyId : undefined;
    const nonce = saved ? await nonceOf(account, saved) : '';
    return nonce === null ? authenticationFailed : challenge(nonce);
  }

  async function go(order: ChargeRequest, sale: Sale): Promise<GatewayOutcome> {
    const verdict = verdictOf(sale, order, rowOf(order));
    if (verdict.kind === 'paid') return finish(order, sale);
    return verdict.kind === 'asks' ? asked(order, sale) : outcomeOf(sale, verdict);
  }

  /** The attempt's sales: by its id the one that is known, which a search may not show yet. */
  async function salesFor({ attempt }: ChargeRequest): Promise<Sale[]> {
    const known = attempt.paymentId && (await saleBy(account, attempt.paymentId));
    return known ? [known] : salesOf(account, attempt.id);
  }

  /** What was paid or is under way comes before what was declined; else the newest. */
  async function standing(order: ChargeRequest) {
    const sales = await salesFor(order);
    const all = sales.map((sale) => ({ sale, verdict: verdictOf(sale, order, rowOf(order)) }));
    return (
      all.find(({ verdict }) => verdict.kind === 'paid') ??
      all.find(({ verdict }) => verdict.kind === 'unknown') ??
      all[0]
    );
  }

  /** No sale was found. A nonce that is spent all the same paid for one: the index is still behind. */
  async function missing({ attempt }: ChargeRequest): Promise<GatewayOutcome> {
    const spent = attempt.sentAt && attempt.nonce && (await isSpent(account, attempt.nonce));
    return spent ? { kind: 'unknown' } : expired;
  }

  return {
    customer: (id, email) => customerOf(account, id, email),

    async forget(id) {
      const path = `/customers/${encodeURIComponent(id)}`;
      const told = await rest(account, 'PUT', path, { customer: { email: '' } });
      if (told.is === 'refused') throw new BraintreeAmbiguousError(`customer ${told.codes}`);
    },

    fingerprint: (nonce) => fingerprintOf(account, nonce),

    async charge(order): Promise<GatewayOutcome> {
      const { attempt } = order;
      const ready = attempt.nonce ? await readiness(account, attempt.nonce) : 'go';
      if (Date.now() - attempt.openedAt > lastSend) return { kind: 'unknown' };
      if (ready === 'failed') return authenticationFailed;
      if (ready === 'verify') return challenge(attempt.nonce ?? '');
      order.record({ sentAt: Date.now() });
      const answer = await charge(account, order, rowOf(order));
      if (answer.is === 'refused') {
        return { kind: 'rejected', reason: `charge refused ${answer.codes.join(' ')}` };
      }
      return go(order, answer.data);
    },

    async lookUp(order): Promise<GatewayOutcome> {
      const found = await standing(order);
      if (!found) return { kind: 'none' };
      const { sale, verdict } = found;
      if (verdict.kind === 'asks') return challenge('');
      return verdict.kind === 'paid' ? active(order, rowOf(order), sale) : outcomeOf(sale, verdict);
    },

    async settle(order): Promise<GatewayOutcome> {
      const { attempt } = order;
      const found = await standing(order);
      if (found?.verdict.kind === 'paid') return finish(order, found.sale);
      if (found?.verdict.kind === 'unknown') return { kind: 'unknown' };
      // Of a first send the sale says it all; a later one may not be in the index yet.
      const complete = found && attempt.challengedAt === null;
      const delay = attempt.nonce ? searchDelay : savedCardDelay;
      if (!complete && Date.now() - (attempt.sentAt ?? 0) < delay) return { kind: 'unknown' };
      if (!found) return missing(order);
      // It may have been paid before: its renewals would go on.
      if (rowOf(order).period !== 'once') await cancelSubscription(account, attempt.id);
      if (found.verdict.kind !== 'asks') return outcomeOf(found.sale, found.verdict);
      const inTime = Date.now() - attempt.openedAt < sendLimit;
      return inTime && attempt.state === 'sent' ? asked(order, found.sale) : expired;
    },

    statement: (order) => statement(account, order, Date.now()),

    async cancel({ attempt }) {
      await cancelSubscription(account, attempt.charge?.subscriptionId ?? attempt.id);
    },

    async refund(_order, paymentId, amount, request) {
      const made = await refund(env, paymentId, amount, request);
      if (made === 'refunded' || made === 'voided') return null;
      return { refused: made === 'later' ? 'not settled yet: a part has to wait' : made.refused };
    },
  };
}
