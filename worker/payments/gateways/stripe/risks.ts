import type Stripe from 'stripe';
import type { Env } from '../../../platform/env.ts';
import { minor, paymentIdOf } from '../../../platform/types.ts';
import type { Dispute, DisputeState, Risks } from '../../purchase/risks.ts';
import { idOf, stripeClient } from './client.ts';
import { pageSize } from './statement.ts';

const daySeconds = 24 * 60 * 60;
/** Cardholders dispute up to 120 days after a payment, and an answer is due in weeks. */
const disputeDays = 180;
const warningDays = 60;

/** docs.stripe.com/api/disputes/object#dispute_object-status */
const states: Record<Stripe.Dispute.Status, DisputeState> = {
  needs_response: 'open',
  warning_needs_response: 'open',
  appeal_needs_response: 'open',
  under_review: 'answered',
  warning_under_review: 'answered',
  appeal_under_review: 'answered',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
};

const disputeOf = (dispute: Stripe.Dispute): Dispute => ({
  id: dispute.id,
  paymentId: paymentIdOf(idOf(dispute.payment_intent) || idOf(dispute.charge)),
  amount: minor(dispute.amount),
  currency: dispute.currency.toUpperCase(),
  reason: dispute.reason,
  // "Will be 0 if the customer's bank … doesn't allow a response"
  dueAt: dispute.evidence_details.due_by ? dispute.evidence_details.due_by * 1000 : null,
  openedAt: dispute.created * 1000,
  // A status that is newer than this list requires nothing from us.
  state: states[dispute.status] ?? 'answered',
});

/** However many: a large site has thousands in half a year. */
async function mapAll<One, Risk>(list: Stripe.ApiListPromise<One>, risksIn: (one: One) => Risk[]) {
  const risks: Risk[] = [];
  for await (const one of list) risks.push(...risksIn(one));
  return risks;
}

export async function stripeRisks(env: Env, now: number): Promise<Risks> {
  const stripe = stripeClient(env);
  const since = (days: number) => ({ gte: Math.floor(now / 1000) - days * daySeconds });
  const [disputes, warnings] = await Promise.all([
    mapAll(stripe.disputes.list({ created: since(disputeDays), limit: pageSize }), (one) => [
      disputeOf(one),
    ]),
    mapAll(
      stripe.radar.earlyFraudWarnings.list({ created: since(warningDays), limit: pageSize }),
      // "An EFW is actionable if it has not received a dispute and has not been fully refunded."
      ({ actionable, payment_intent, charge, created }) =>
        actionable
          ? [{ paymentId: paymentIdOf(idOf(payment_intent) || idOf(charge)), at: created * 1000 }]
          : [],
    ),
  ]);
  return { disputes, warnings };
}
