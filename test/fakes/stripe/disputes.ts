import type { Stripe } from 'stripe';
import { type Call, type Context, find, invalid, only } from './call.ts';

import { fits, group, page, text } from './params.ts';

import { newId, type StripeState } from './state.ts';

/**
 * The cardholder disputes a charge: the bank withdraws the amount until the dispute is closed. An inquiry
 * withdraws nothing.
 * https://docs.stripe.com/disputes/how-disputes-work
 */
export function openDispute(
  charge: Stripe.Charge,
  reason: string,
  { state, now, emit }: Context,
  inquiry = false,
): Stripe.Dispute {
  if (!charge.paid || charge.disputed) throw invalid(`${charge.id} cannot be disputed.`);
  const dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount_captured - charge.amount_refunded,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  } as Stripe.Dispute;
  state.disputes[dispute.id] = dispute;
  charge.disputed = true;
  emit('charge.dispute.created', dispute);
  if (!inquiry) emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The open or closed dispute of a charge. */
export const disputeOf = (charge: string, state: StripeState): Stripe.Dispute | undefined =>
  Object.values(state.disputes).find((dispute) => dispute.charge === charge);

function close(dispute: Stripe.Dispute, status: 'won' | 'lost', { emit }: Context): void {
  const inquiry = dispute.status === 'warning_needs_response';
  dispute.status = inquiry ? 'warning_closed' : status;
  if (dispute.status === 'won') emit('charge.dispute.funds_reinstated', dispute);
  emit('charge.dispute.closed', dispute);
}

const isOpen = ({ status }: Stripe.Dispute) =>
  status === 'needs_response' || status === 'warning_needs_response';

export const listDisputes = ({ state, params }: Call) =>
  page(state.disputes, '/v1/disputes', params, ({ charge, payment_intent }) =>
    fits(params, { charge, payment_intent }),
  );

/**
 * POST /disputes/:id: the words `winning_evidence` or `losing_evidence` as uncategorized_text close
 * it that way. https://docs.stripe.com/testing#evidence
 */
export function updateDispute(call: Call): Stripe.Dispute {
  only(call.params, ['evidence'], 'disputes.update');
  const words = text(group(call.params, 'evidence'), 'uncategorized_text');
  const dispute = find(call.state.disputes, 'dispute', call.id);
  if (!isOpen(dispute)) throw invalid('This dispute is already closed.');
  call.emit('charge.dispute.updated', dispute);
  if (words === 'winning_evidence') close(dispute, 'won', call);
  if (words === 'losing_evidence') close(dispute, 'lost', call);
  return dispute;
}

/** POST /disputes/:id/close: "Closing a dispute … acknowledges it as lost. … is irreversible." */
export function closeDispute(call: Call): Stripe.Dispute {
  const dispute = find(call.state.disputes, 'dispute', call.id);
  if (!isOpen(dispute)) throw invalid('This dispute is already closed.');
  close(dispute, 'lost', call);
  return dispute;
}
