import type Stripe from 'stripe';
import type { ChargeRequest, Movement } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';

/** Stripe's largest page, and the most objects that one purchase is believed to have. */
export const limit = 100;
const bound = 1000;

/** The id of a reference, expanded or not; empty for none. */
export const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

/** What an active attempt was charged with. @throws when it is not active */
export const chargeOf = ({ attempt }: ChargeRequest) => {
  if (!attempt.charge) throw new TypeError(`attempt ${attempt.id} bought nothing`);
  return attempt.charge;
};

/** Every object of a list. @throws when they are too many to be believed */
export async function listAll<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const items = await list.autoPagingToArray({ limit: bound });
  if (items.length === bound) throw new RangeError(`${bound} objects or more`);
  return items;
}

/** A refund, a dispute or a charge as the ledger knows it. */
export const movement = (
  { id, amount, created }: { id: string; amount: number; created: number },
  paymentId: string,
): Movement => ({ id, paymentId, amount, at: created * 1000 });

/** A charge holds its ten newest refunds; only a longer list takes another call. */
export async function refundsOf(
  stripe: StripeClient,
  charge: Stripe.Charge,
): Promise<Stripe.Refund[]> {
  const { refunds } = charge;
  if (refunds && !refunds.has_more) return refunds.data;
  return listAll(stripe.refunds.list({ charge: charge.id, limit }));
}

/** A refund in one of these moved no money. */
export const gone = new Set<string | null>(['failed', 'canceled', 'requires_action']);
const oldestFirst = (movements: Movement[]) => movements.sort((a, b) => a.at - b.at);

/** The money of some charges: what was captured, given back, and lost to the bank. */
export async function moneyOf(stripe: StripeClient, charges: Stripe.Charge[]) {
  const taken = charges.filter(({ captured, status }) => captured && status === 'succeeded');
  const captures: Movement[] = [];
  const refunds: Movement[] = [];
  const disputes: Movement[] = [];
  for (const charge of taken) {
    const paymentId = idOf(charge.payment_intent);
    captures.push(
      movement({ ...charge, id: paymentId, amount: charge.amount_captured }, paymentId),
    );
    const back = charge.amount_refunded > 0 ? await refundsOf(stripe, charge) : [];
    const kept = back.filter(({ status }) => !gone.has(status));
    refunds.push(...kept.map((refund) => movement(refund, paymentId)));
    if (!charge.disputed) continue;
    const found = await listAll(stripe.disputes.list({ charge: charge.id, limit }));
    const lost = found.filter(({ status }) => status === 'lost');
    disputes.push(...lost.map((dispute) => movement(dispute, paymentId)));
  }
  return {
    captures: oldestFirst(captures),
    refunds: oldestFirst(refunds),
    disputes: oldestFirst(disputes),
  };
}
