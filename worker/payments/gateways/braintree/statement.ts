import { planById } from '../../../catalog/plans.ts';
import { firstRenewal } from '../../../catalog/rules/first-renewal.ts';
import type { ChargeRequest, Movement, Statement } from '../../rules/gateway.ts';
import { braintreeStates, providerState } from '../../rules/provider-status.ts';
import { BraintreeAmbiguousError, rest } from './client.ts';
import type { Account } from './credentials.ts';
import { minorUnits } from './outcome.ts';
import { type BraintreeSubscription, readSubscription } from './subscription.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

const day = 24 * 60 * 60_000;
const taken =
  /^(submitted_for_settlement|settling|settlement_pending|settlement_confirmed|settled)$/;

type Money = Pick<Statement, 'captures' | 'refunds' | 'disputes'>;

/** @throws BraintreeUnclear also where there is none: the ledger says that there is */
async function transaction(account: Account, id: string): Promise<Xml | undefined> {
  const reply = await rest(account, 'GET', `/transactions/${encodeURIComponent(id)}`);
  if (reply.is !== 'done') throw new BraintreeAmbiguousError(`transaction ${reply.is}`);
  return childOf(reply.body, 'transaction');
}

const movement = (xml: Xml | undefined, id: string, paymentId: string, sum = 'amount') => ({
  id,
  paymentId,
  amount: minorUnits(textOf(xml, sum)),
  at: Date.parse(textOf(xml, 'created-at')),
});

async function refundsOf(account: Account, sale: Xml | undefined, id: string) {
  const refunds: Movement[] = [];
  for (const refund of listOf(sale, 'refund-ids').map(String)) {
    const read = await transaction(account, refund);
    if (taken.test(textOf(read, 'status'))) refunds.push(movement(read, refund, id));
  }
  return refunds;
}

/**
 * What moved for one transaction: a voided one was taken, and given back whole.
 *
 * @param id the one that the control panel shows
 * @throws when Braintree does not answer
 */
export async function moneyOf(account: Account, id: string): Promise<Money> {
  const sale = await transaction(account, id);
  const status = textOf(sale, 'status');
  const capture = movement(sale, id, id);
  if (status === 'voided') {
    return { captures: [capture], refunds: [{ ...capture, id: `void:${id}` }], disputes: [] };
  }
  if (!taken.test(status)) return { captures: [], refunds: [], disputes: [] };
  const lost = listOf(sale, 'disputes').filter((one) => textOf(one, 'status') === 'lost');
  return {
    captures: [capture],
    refunds: await refundsOf(account, sale, id),
    disputes: lost.map((one) => movement(one, textOf(one, 'id'), id, 'amount-disputed')),
  };
}

/** Until when it is paid: through the day that Braintree tells, else what was bought first. */
function paidUntil(
  { paidThroughDate }: BraintreeSubscription,
  { attempt }: ChargeRequest,
): number | null {
  const through = Date.parse(`${paidThroughDate}T00:00:00Z`);
  if (!Number.isNaN(through)) return through + day;
  const plan = planById(attempt.plan);
  return plan ? firstRenewal(plan, attempt.openedAt) : null;
}

/** Braintree ends a subscription at once; what was paid for runs on. */
function standingOf(subscription: BraintreeSubscription, until: number | null, now: number) {
  const status = providerState(braintreeStates, subscription.status);
  if (status === 'ended')
    return { status: (until ?? 0) > now ? 'active' : 'ended', ends: true } as const;
  return { status, ends: false } as const;
}

const sum = (movements: readonly Movement[]) =>
  movements.reduce((total, { amount }) => total + amount, 0);

/**
 * What Braintree knows of what an active attempt bought: its first payment, and its subscription's
 * renewals, one call each, and one for each refund.
 *
 * @throws when Braintree does not answer
 */
export async function statement(
  account: Account,
  order: ChargeRequest,
  now: number,
): Promise<Statement> {
  const { id, charge } = order.attempt;
  if (!charge) throw new RangeError(`attempt ${id} bought nothing`);
  const first = await moneyOf(account, charge.paymentId);
  if (charge.subscriptionId === null) {
    const kept = sum(first.captures) - sum(first.refunds) - sum(first.disputes);
    return { status: kept > 0 ? 'active' : 'ended', paidUntil: null, ends: false, ...first };
  }
  const subscription = await readSubscription(account, charge.subscriptionId);
  if (!subscription) throw new BraintreeAmbiguousError('no subscription');
  const money = [first];
  for (const renewal of subscription.charges) money.push(await moneyOf(account, renewal.id));
  const until = paidUntil(subscription, order);
  return {
    ...standingOf(subscription, until, now),
    paidUntil: until,
    captures: money.flatMap(({ captures }) => captures),
    refunds: money.flatMap(({ refunds }) => refunds),
    disputes: money.flatMap(({ disputes }) => disputes),
  };
}
