import type { Stripe } from 'stripe';
import { type Call, type Context, find, idOf, invalid, only } from './call.ts';

import { group, metadata, page, text } from './params.ts';

import { newId, type StripeState } from './state.ts';

const EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** Time to submit evidence. */
const ANSWER_SECONDS = 9 * 86_400;

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
  const dispute: Stripe.Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount_captured - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: structuredClone(EVIDENCE),
    evidence_details: {
      due_by: now + ANSWER_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
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

function retrieve({ state, id }: Call): Stripe.Dispute {
  return find(state.disputes, 'dispute', id);
}

export const listDisputes = ({ state, params }: Call) =>
  page(state.disputes, '/v1/disputes', params, ({ charge, payment_intent }) => {
    const wanted = { charge: idOf(charge), payment_intent: idOf(payment_intent) };
    return Object.entries(wanted).every(
      ([name, value]) => text(params, name) === undefined || text(params, name) === value,
    );
  });

/**
 * POST /disputes/:id: the words `winning_evidence` or `losing_evidence` as uncategorized_text close
 * it that way. https://docs.stripe.com/testing#evidence
 */
export function updateDispute(call: Call): Stripe.Dispute {
  const { params } = call;
  const evidence = group(params, 'evidence');
  only(params, ['evidence', 'metadata', 'submit'], 'disputes.update');
  only(evidence, ['uncategorized_text'], 'disputes.update evidence');
  const dispute = retrieve(call);
  if (!isOpen(dispute)) throw invalid('This dispute is already closed.');
  dispute.metadata = metadata(params, dispute.metadata);
  const words = text(evidence, 'uncategorized_text');
  if (words) {
    dispute.evidence.uncategorized_text = words;
    dispute.evidence_details.has_evidence = true;
    dispute.evidence_details.submission_count += params.submit === 'false' ? 0 : 1;
  }
  call.emit('charge.dispute.updated', dispute);
  if (words === 'winning_evidence') close(dispute, 'won', call);
  if (words === 'losing_evidence') close(dispute, 'lost', call);
  return dispute;
}

/** POST /disputes/:id/close: "Closing a dispute … acknowledges it as lost. … is irreversible." */
export function closeDispute(call: Call): Stripe.Dispute {
  const dispute = retrieve(call);
  if (!isOpen(dispute)) throw invalid('This dispute is already closed.');
  close(dispute, 'lost', call);
  return dispute;
}
