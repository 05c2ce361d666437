import type { Env } from '../env.ts';
import type { Gateway, Order } from '../funnel/gateway.ts';
import { type Plan, planById } from '../funnel/plans.ts';
import { type Outcome, sendLimit } from '../funnel/purchase.ts';
import { type Account, braintreeAccount } from './braintree-account.ts';
import { nonceOf, readiness } from './braintree-nonce.ts';
import { authenticationFailed, type Sale, type Verdict, verdictOf } from './braintree-outcome.ts';
import { BraintreeUnclear, rest } from './braintree-rest.ts';
import { charge, reverse, salesOf } from './braintree-sale.ts';
import { refund } from './braintree-service.ts';
import { moneyOf, statement } from './braintree-statement.ts';
import { cancelSubscription, readSubscription, subscribe } from './braintree-subscription.ts';
import { textOf } from './braintree-xml.ts';

/** So that a send with its reply fits into the limit. */
const lastSend = sendLimit - 30_000;
const customerTaken = '91609';
const expired: Outcome = { kind: 'rejected', reason: 'expired' };

const rowOf = ({ attempt }: Order): Plan => {
  const plan = planById(attempt.plan);
  if (!plan) throw new RangeError(`no plan ${attempt.plan}`);
  return plan;
};

const active = ({ attempt, customerId }: Order, plan: Plan, sale: Sale): Outcome => ({
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
  if (!globalId || !same) throw new BraintreeUnclear('no customer');
  return globalId;
}

/**
 * Braintree behind the Gateway interface. Today's payment is a transaction that carries the attempt
 * as its order id; the renewals are a subscription with the attempt's id, whose free first period is
 * what was paid today. The payment comes first: when its subscription is finally refused, it is
 * voided or refunded, so that nothing is paid without being sold.
 */
export function braintreeGateway(env: Env): Gateway {
  const account = braintreeAccount(env);

  /** A no about a transaction, with all the money that it moved there and back. */
  async function undone(sale: Sale, reason: string): Promise<Outcome> {
    return { kind: 'rejected', reason, undone: await moneyOf(account, sale.legacyId) };
  }

  async function undo(order: Order, sale: Sale, why: string): Promise<Outcome> {
    const answer = await reverse(account, sale, `${order.attempt.id}:reverse`);
    if (answer.is === 'done') return undone(sale, why);
    // Refused because it happened before: the transaction itself says so.
    const now = (await salesOf(account, order.attempt.id)).find(({ id }) => id === sale.id);
    if (now && verdictOf(now, order, rowOf(order)).kind === 'gone') return undone(sale, why);
    throw new BraintreeUnclear(`reversal ${answer.codes}`);
  }

  /** A verdict on a sale that neither is paid nor asks. */
  const outcomeOf = async (sale: Sale, verdict: Exclude<Verdict, { kind: 'paid' | 'asks' }>) =>
    verdict.kind === 'gone' ? undone(sale, verdict.reason) : verdict;

  /** The second half of a purchase whose money is there. */
  async function finish(order: Order, sale: Sale): Promise<Outcome> {
    const plan = rowOf(order);
    if (plan.period === 'once') return active(order, plan, sale);
    const token = sale.paymentMethod?.legacyId;
    if (!token) return undo(order, sale, 'payment method not saved');
    const { id, coupon } = order.attempt;
    const made = await subscribe(account, { id, plan, coupon, token });
    if ('refused' in made)
      return undo(order, sale, `subscription refused ${made.refused.join(' ')}`);
    if (made.status === 'Canceled' || made.status === 'Expired') {
      return undo(order, sale, 'subscription ended');
    }
    return active(order, plan, sale);
  }

  /** @param nonce what 3-D Secure verifies; empty when the browser has to make a new one */
  const challenge = (nonce: string): Outcome => ({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });

  /** The bank wants to see a payer whom it has not verified; one whom it has is refused for good. */
  async function asked(order: Order, sale: Sale): Promise<Outcome> {
    const { attempt, methodId } = order;
    if (attempt.challengedAt !== null && attempt.nonce) return authenticationFailed;
    const saved = !attempt.nonce && methodId ? sale.paymentMethod?.legacyId : undefined;
    const nonce = saved ? await nonceOf(account, saved) : '';
    return nonce === null ? authenticationFailed : challenge(nonce);
  }

  async function go(order: Order, sale: Sale): Promise<Outcome> {
    const verdict = verdictOf(sale, order, rowOf(order));
    if (verdict.kind === 'paid') return finish(order, sale);
    return verdict.kind === 'asks' ? asked(order, sale) : outcomeOf(sale, verdict);
  }

  const judged = (order: Order, sales: Sale[]) =>
    sales.map((sale) => ({ sale, verdict: verdictOf(sale, order, rowOf(order)) }));

  /** What was paid or is under way comes before what was declined; else the newest. */
  function standing(order: Order, sales: Sale[]) {
    const all = judged(order, sales);
    return (
      all.find(({ verdict }) => verdict.kind === 'paid') ??
      all.find(({ verdict }) => verdict.kind === 'unknown') ??
      all[0]
    );
  }

  return {
    customer: (id, email) => customerOf(account, id, email),

    async forget(id) {
      const path = `/customers/${encodeURIComponent(id)}`;
      const told = await rest(account, 'PUT', path, { customer: { email: '' } });
      if (told.is === 'refused') throw new BraintreeUnclear(`customer ${told.codes}`);
    },

    async charge(order): Promise<Outcome> {
      const { attempt } = order;
      if (attempt.challengedAt !== null) {
        const before = standing(order, await salesOf(account, attempt.id));
        if (before?.verdict.kind === 'paid') return finish(order, before.sale);
        if (before?.verdict.kind === 'unknown') return { kind: 'unknown' };
      }
      const ready = attempt.nonce ? await readiness(account, attempt.nonce) : 'go';
      if (Date.now() - attempt.openedAt > lastSend) return { kind: 'unknown' };
      if (ready === 'failed') return authenticationFailed;
      if (ready === 'verify') return challenge(attempt.nonce ?? '');
      const answer = await charge(account, order, rowOf(order));
      if (answer.is === 'done') return go(order, answer.data);
      // Refused: nothing new was charged, but an earlier send may have been.
      const found = standing(order, await salesOf(account, attempt.id));
      return found
        ? go(order, found.sale)
        : { kind: 'rejected', reason: `charge refused ${answer.codes.join(' ')}` };
    },

    async lookUp(order): Promise<Outcome> {
      const found = standing(order, await salesOf(account, order.attempt.id));
      if (!found) return { kind: 'none' };
      const { sale, verdict } = found;
      if (verdict.kind === 'asks') return challenge('');
      if (verdict.kind !== 'paid') return outcomeOf(sale, verdict);
      const plan = rowOf(order);
      if (plan.period === 'once') return active(order, plan, sale);
      const subscription = await readSubscription(account, order.attempt.id);
      if (!subscription) return { kind: 'unfinished' };
      return subscription.status === 'Canceled' || subscription.status === 'Expired'
        ? { kind: 'unfinished' }
        : active(order, plan, sale);
    },

    async settle(order): Promise<Outcome> {
      const found = standing(order, await salesOf(account, order.attempt.id));
      if (!found || found.verdict.kind === 'asks') return expired;
      if (found.verdict.kind === 'paid') return finish(order, found.sale);
      return outcomeOf(found.sale, found.verdict);
    },

    statement: (order) => statement(account, order, Date.now()),

    async cancel({ attempt }) {
      await cancelSubscription(account, attempt.charge?.subscriptionId ?? attempt.id);
    },

    async refund(_order, paymentId, amount, key) {
      const made = await refund(env, paymentId, amount, key);
      if (made === 'refunded' || made === 'voided') return null;
      return { refused: made === 'later' ? 'not settled yet: a part has to wait' : made.refused };
    },
  };
}
