import { firstRenewal } from '../../../catalog/rules/renewal-date.ts';
import { dayMs } from '../../../platform/durations.ts';
import { type EpochMs, epochMs, minor, type PaymentId, sumOf } from '../../../platform/types.ts';
import { braintreeStates, type ChargeRequest, providerState } from '../../purchase/gateway.ts';
import type { Movement, Statement } from '../../purchase/state.ts';
import { BraintreeAmbiguousError, type BraintreeConfig, rest } from './client.ts';
import { minorUnits } from './outcome.ts';
import { taxOf } from './sale.ts';
import { type BraintreeSubscription, readSubscription } from './subscription.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

export const capturedStatus =
  /^(submitted_for_settlement|settling|settlement_pending|settlement_confirmed|settled)$/;

type Money = Pick<Statement, 'captures' | 'refunds' | 'disputes' | 'isDisputed'>;

/** developer.paypal.com/braintree/docs/reference/response/dispute#status */
const openDispute = /^(open|disputed|under_review)$/;
/** Also those that we accepted or left unanswered. */
const lostDispute = /^(lost|accepted|auto_accepted|expired)$/;

/** A retrieval only asks for information (developer.paypal.com/braintree/docs/reference/response/dispute#kind). */
export const isRetrieval = (dispute: Xml) => textOf(dispute, 'kind') === 'retrieval';

/** @throws BraintreeAmbiguousError also for a missing transaction, because the ledger has it */
async function readTransaction(config: BraintreeConfig, id: string): Promise<Xml | undefined> {
  const reply = await rest(config, `GET /transactions/${encodeURIComponent(id)}`);
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
  amount: minorUnits(textOf(xml, amount), textOf(xml, 'currency-iso-code')),
  at: epochMs(Date.parse(textOf(xml, 'created-at'))),
});

async function refundsOf(config: BraintreeConfig, sale: Xml | undefined, id: PaymentId) {
  const refunds: Movement[] = [];
  for (const refund of listOf(sale, 'refund-ids').map(String)) {
    const read = await readTransaction(config, refund);
    if (!capturedStatus.test(textOf(read, 'status'))) continue;
    refunds.push({ ...movementOf(read, refund, id), refundKey: textOf(read, 'order-id') });
  }
  return refunds;
}

/** A voided transaction counts as captured and refunded. @param id the id in the control panel */
export async function readMovements(config: BraintreeConfig, id: PaymentId): Promise<Money> {
  const sale = await readTransaction(config, id);
  const status = textOf(sale, 'status');
  const capture = movementOf(sale, id, id);
  if (status === 'voided') {
    const refunds = [{ ...capture, id: `void:${id}` }];
    return { captures: [capture], refunds, disputes: [], isDisputed: false };
  }
  if (!capturedStatus.test(status)) {
    return { captures: [], refunds: [], disputes: [], isDisputed: false };
  }
  const disputes = listOf(sale, 'disputes');
  const lost = disputes.filter(
    (one) => lostDispute.test(textOf(one, 'status')) && !isRetrieval(one),
  );
  return {
    captures: [capture],
    refunds: await refundsOf(config, sale, id),
    disputes: lost.map((one) => movementOf(one, textOf(one, 'id'), id, 'amount-disputed')),
    isDisputed: disputes.some((one) => openDispute.test(textOf(one, 'status'))),
  };
}

/** The end of the period paid by renewals, or by other payments: the first one, and those of changes. */
function paidUntil(
  all: readonly BraintreeSubscription[],
  { attempt, owned }: ChargeRequest,
): EpochMs | null {
  const { paidSince } = owned ?? {};
  const single = paidSince
    ? firstRenewal({ ...paidSince.plan, introDays: 0 }, paidSince.at)
    : firstRenewal(attempt.plan, attempt.openedAt);
  const renewed = all
    .map(({ paidThroughDate }) => Date.parse(`${paidThroughDate}T00:00:00Z`) + dayMs)
    .filter((at) => !Number.isNaN(at));
  const end = Math.max(single ?? 0, ...renewed);
  return end > 0 ? epochMs(end) : null;
}

/**
 * A subscription whose first charge is after the paid period is a pause here; Braintree has no pause of its own. The
 * pause lasts until that charge is paid.
 */
function pauseEnd(
  { status, firstBillingDate, paidThroughDate }: BraintreeSubscription,
  until: number | null,
) {
  const starts = Date.parse(`${firstBillingDate}T00:00:00Z`);
  const isUnpaid = status === 'Pending' || (status === 'Past Due' && paidThroughDate === '');
  return isUnpaid && until !== null && starts > until + dayMs ? epochMs(starts) : null;
}

/** Braintree ends a cancelled subscription at once. Here it stays active until the paid period ends. */
function statusOf(subscription: BraintreeSubscription, until: number | null, now: number) {
  const status = providerState(braintreeStates, subscription.status);
  if (status === 'ended')
    return { status: (until ?? 0) > now ? 'active' : 'ended', ends: true } as const;
  return { status, ends: false } as const;
}

export async function statement(
  config: BraintreeConfig,
  request: ChargeRequest,
  now: number,
): Promise<Statement> {
  const { id: attempt, charge } = request.attempt;
  if (!charge) throw new RangeError(`attempt ${attempt} has no charge`);
  const read = async (id: PaymentId): Promise<Money> => {
    const money = await readMovements(config, id);
    const withTax = (one: Movement) => ({
      ...one,
      tax: taxOf(config, request.attempt, one.amount),
    });
    return { ...money, captures: money.captures.map(withTax) };
  };
  const none: Money = { captures: [], refunds: [], disputes: [], isDisputed: false };
  const first = charge.paymentId === null ? none : await read(charge.paymentId);
  if (charge.subscriptionId === null) {
    const remaining = sumOf(first.captures) - sumOf(first.refunds) - sumOf(first.disputes);
    const status = remaining > 0 ? 'active' : 'ended';
    return { status, paidUntil: null, ends: false, unpaid: minor(0), ...first };
  }
  const { subscriptionIds = [], paymentIds = [] } = request.owned?.earlier ?? {};
  const all: BraintreeSubscription[] = [];
  for (const one of [...subscriptionIds, request.owned?.subscriptionId ?? charge.subscriptionId]) {
    const found = await readSubscription(config, one);
    if (!found) throw new BraintreeAmbiguousError('no subscription');
    all.push(found);
  }
  const current = all.at(-1);
  if (!current) throw new BraintreeAmbiguousError('no subscription');
  const listed = all.flatMap(({ charges }) => charges.map(({ id }) => id));
  // Older captures than the listed ones are in the ledger, and are read by their ids.
  const payments = new Set([...(request.captured ?? []), ...paymentIds, ...listed]);
  if (charge.paymentId !== null) payments.delete(charge.paymentId);
  const money = [first];
  for (const payment of payments) money.push(await read(payment));
  const until = paidUntil(all, request);
  return {
    ...statusOf(current, until, now),
    paidUntil: until,
    // Braintree retries a charge only while the subscription is past due.
    unpaid: minor(current.status === 'Past Due' ? Math.max(0, current.balance) : 0),
    isDisputed: money.some(({ isDisputed }) => isDisputed),
    pausesUntil: pauseEnd(current, until),
    captures: money.flatMap(({ captures }) => captures),
    refunds: money.flatMap(({ refunds }) => refunds),
    disputes: money.flatMap(({ disputes }) => disputes),
  };
}
