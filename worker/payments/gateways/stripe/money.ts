import type Stripe from 'stripe';
import type { ChargeRequest, Movement } from '../../rules/gateway.ts';
import type { StripeClient } from './client.ts';

export const pageSize = 100;
const maxObjects = 1000;

export const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

export const chargeOf = ({ attempt }: ChargeRequest) => {
  if (!attempt.charge) throw new TypeError(`attempt ${attempt.id} has no charge`);
  return attempt.charge;
};

/** Every object of a list. @throws RangeError for 1000 objects or more */
export async function listAll<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const items = await list.autoPagingToArray({ limit: maxObjects });
  if (items.length === maxObjects) throw new RangeError(`${maxObjects} objects or more`);
  return items;
}

export const movementOf = (
  { id, amount, created }: { id: string; amount: number; created: number },
  paymentId: string,
): Movement => ({ id, paymentId, amount, at: created * 1000 });

/** A charge includes its ten newest refunds; only a longer list needs another call. */
export async function refundsOf(
  stripe: StripeClient,
  charge: Stripe.Charge,
): Promise<Stripe.Refund[]> {
  const { refunds } = charge;
  if (refunds && !refunds.has_more) return refunds.data;
  return listAll(stripe.refunds.list({ charge: charge.id, limit: pageSize }));
}

export const failedRefunds = new Set<string | null>(['failed', 'canceled', 'requires_action']);
const oldestFirst = (movements: Movement[]) => movements.sort((a, b) => a.at - b.at);

export async function movementsOf(stripe: StripeClient, charges: Stripe.Charge[]) {
  const captured = charges.filter(({ captured, status }) => captured && status === 'succeeded');
  const captures: Movement[] = [];
  const refunds: Movement[] = [];
  const disputes: Movement[] = [];
  for (const charge of captured) {
    const paymentId = idOf(charge.payment_intent);
    captures.push(
      movementOf({ ...charge, id: paymentId, amount: charge.amount_captured }, paymentId),
    );
    const all = charge.amount_refunded > 0 ? await refundsOf(stripe, charge) : [];
    const made = all.filter(({ status }) => !failedRefunds.has(status));
    refunds.push(...made.map((refund) => movementOf(refund, paymentId)));
    if (!charge.disputed) continue;
    const opened = await listAll(stripe.disputes.list({ charge: charge.id, limit: pageSize }));
    const lost = opened.filter(({ status }) => status === 'lost');
    disputes.push(...lost.map((dispute) => movementOf(dispute, paymentId)));
  }
  return {
    captures: oldestFirst(captures),
    refunds: oldestFirst(refunds),
    disputes: oldestFirst(disputes),
  };
}
