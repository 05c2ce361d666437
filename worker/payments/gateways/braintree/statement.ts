import { planById } from '../../../catalog/plans.ts';
import { firstRenewal } from '../../../catalog/rules/renewal-date.ts';
import { type EpochMs, epochMs, type PaymentId, sumOf } from '../../../types.ts';
import {
  braintreeStates,
  type ChargeRequest,
  type Movement,
  providerState,
  type Statement,
} from '../../rules/gateway.ts';
import { type Account, BraintreeAmbiguousError, rest } from './client.ts';
import { minorUnits } from './outcome.ts';
import { type BraintreeSubscription, readSubscription } from './subscription.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

const dayMs = 24 * 60 * 60_000;
export const capturedStatus =
  /^(submitted_for_settlement|settling|settlement_pending|settlement_confirmed|settled)$/;

type Money = Pick<Statement, 'captures' | 'refunds' | 'disputes'>;

/** @throws BraintreeAmbiguousError also for a missing transaction, because the ledger has it */
async function readTransaction(account: Account, id: string): Promise<Xml | undefined> {
  const reply = await rest(account, 'GET', `/transactions/${encodeURIComponent(id)}`);
  if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`transaction ${reply.kind}`);
  return childOf(reply.body, 'transaction');
}

const movementOf = (
  xml: Xml | undefined,
  id: string,
  paymentId: PaymentId,
  amount = 'amount',
): Movement => ({
  id,
  paymentId,
  amount: minorUnits(textOf(xml, amount)),
  at: epochMs(Date.parse(textOf(xml, 'created-at'))),
});

async function refundsOf(account: Account, sale: Xml | undefined, id: PaymentId) {
  const refunds: Movement[] = [];
  for (const refund of listOf(sale, 'refund-ids').map(String)) {
    const read = await readTransaction(account, refund);
    if (capturedStatus.test(textOf(read, 'status'))) refunds.push(movementOf(read, refund, id));
  }
  return refunds;
}

/** A voided transaction counts as captured and refunded. @param id the id in the control panel */
export async function movementsOf(account: Account, id: PaymentId): Promise<Money> {
  const sale = await readTransaction(account, id);
  const status = textOf(sale, 'status');
  const capture = movementOf(sale, id, id);
  if (status === 'voided') {
    return { captures: [capture], refunds: [{ ...capture, id: `void:${id}` }], disputes: [] };
  }
  if (!capturedStatus.test(status)) return { captures: [], refunds: [], disputes: [] };
  const lost = listOf(sale, 'disputes').filter((one) => textOf(one, 'status') === 'lost');
  return {
    captures: [capture],
    refunds: await refundsOf(account, sale, id),
    disputes: lost.map((one) => movementOf(one, textOf(one, 'id'), id, 'amount-disputed')),
  };
}

function paidUntil(
  { paidThroughDate }: BraintreeSubscription,
  { attempt }: ChargeRequest,
): EpochMs | null {
  const through = Date.parse(`${paidThroughDate}T00:00:00Z`);
  if (!Number.isNaN(through)) return epochMs(through + dayMs);
  const plan = planById(attempt.plan);
  return plan ? firstRenewal(plan, attempt.openedAt) : null;
}

/** Braintree ends a cancelled subscription at once. Here it stays active until the paid period ends. */
function statusOf(subscription: BraintreeSubscription, until: number | null, now: number) {
  const status = providerState(braintreeStates, subscription.status);
  if (status === 'ended')
    return { status: (until ?? 0) > now ? 'active' : 'ended', ends: true } as const;
  return { status, ends: false } as const;
}

export async function statement(
  account: Account,
  order: ChargeRequest,
  now: number,
): Promise<Statement> {
  const { id, charge } = order.attempt;
  if (!charge) throw new RangeError(`attempt ${id} has no charge`);
  const first = await movementsOf(account, charge.paymentId);
  if (charge.subscriptionId === null) {
    const remaining = sumOf(first.captures) - sumOf(first.refunds) - sumOf(first.disputes);
    return { status: remaining > 0 ? 'active' : 'ended', paidUntil: null, ends: false, ...first };
  }
  const subscription = await readSubscription(account, charge.subscriptionId);
  if (!subscription) throw new BraintreeAmbiguousError('no subscription');
  const money = [first];
  for (const renewal of subscription.charges) money.push(await movementsOf(account, renewal.id));
  const until = paidUntil(subscription, order);
  return {
    ...statusOf(subscription, until, now),
    paidUntil: until,
    captures: money.flatMap(({ captures }) => captures),
    refunds: money.flatMap(({ refunds }) => refunds),
    disputes: money.flatMap(({ disputes }) => disputes),
  };
}
