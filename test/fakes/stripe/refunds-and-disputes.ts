import type { Stripe } from 'stripe';
import { isCreatedWithin } from './balance.ts';
import { type Call, type Context, find, idOf, invalid, only } from './call.ts';
import { invoiceOf } from './invoices.ts';
import { fits, group, metadata, page, text, textOrNull, whole } from './params.ts';
import { newId, nulls, type StripeState } from './state.ts';

const nullsOfEvidence = [
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure',
  'cancellation_rebuttal customer_communication customer_email_address customer_name',
  'customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation',
  'duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure',
  'refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier',
  'shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text',
] as const;

/**
 * The cardholder disputes a charge: the bank withdraws the amount until the dispute is closed. An inquiry withdraws
 * no money.
 * https://docs.stripe.com/disputes/how-disputes-work
 */
export function openDispute(
  charge: Stripe.Charge,
  reason: string,
  context: Context,
  inquiry = false,
): Stripe.Dispute {
  const { state, now, emit } = context;
  if (!charge.paid || charge.disputed) throw invalid(`${charge.id} cannot be disputed.`);
  const dispute: Stripe.Dispute = {
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
    balance_transactions: [],
    enhanced_eligibility_types: [],
    evidence: { enhanced_evidence: {}, ...nulls(...nullsOfEvidence) },
    intended_submission_method: null,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
    // "you usually have 7 to 21 days" to answer: docs.stripe.com/disputes/responding
    evidence_details: {
      due_by: now + 9 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
  };
  state.disputes[dispute.id] = dispute;
  charge.disputed = true;
  emit('charge.dispute.created', dispute);
  if (!inquiry) emit('charge.dispute.funds_withdrawn', dispute);
  // docs.stripe.com/payments/sepa-debit#disputed-payments: within eight weeks a dispute is final, and lost.
  if (charge.payment_method_details?.type === 'sepa_debit') close(dispute, 'lost', context);
  return dispute;
}

/** The open or closed dispute of a charge. */
const disputeOf = (charge: string, state: StripeState): Stripe.Dispute | undefined =>
  Object.values(state.disputes).find((dispute) => dispute.charge === charge);

function close(dispute: Stripe.Dispute, status: 'won' | 'lost', { emit }: Context): void {
  const inquiry = dispute.status.startsWith('warning_');
  dispute.status = inquiry ? 'warning_closed' : status;
  if (dispute.status === 'won') emit('charge.dispute.funds_reinstated', dispute);
  emit('charge.dispute.closed', dispute);
}

const isOpen = ({ status }: Stripe.Dispute) => /needs_response|under_review/.test(status);

export const listDisputes = ({ state, params }: Call) =>
  page(
    state.disputes,
    '/v1/disputes',
    params,
    ({ charge, payment_intent, created }) =>
      fits(params, { charge, payment_intent }) && isCreatedWithin(params, created),
  );

/**
 * "actionable: … true if it has not received a dispute and has not been fully refunded":
 * https://docs.stripe.com/api/radar/early_fraud_warnings/object
 */
export function listFraudWarnings({ state, params }: Call) {
  for (const warning of Object.values(state.early_fraud_warnings)) {
    const charge = find(state.charges, 'charge', idOf(warning.charge));
    warning.actionable = !charge.refunded && !charge.disputed;
  }
  return page(
    state.early_fraud_warnings,
    '/v1/radar/early_fraud_warnings',
    params,
    ({ charge, payment_intent, created }) =>
      fits(params, { charge, payment_intent }) && isCreatedWithin(params, created),
  );
}

/**
 * POST /disputes/:id: the words `winning_evidence` or `losing_evidence` as uncategorized_text close
 * it that way. https://docs.stripe.com/testing#evidence
 */
export function updateDispute(call: Call): Stripe.Dispute {
  only(call.params, ['evidence', 'metadata'], 'disputes.update');
  const evidence = group(call.params, 'evidence');
  const words = text(evidence, 'uncategorized_text');
  const dispute = find(call.state.disputes, 'dispute', call.id);
  dispute.metadata = metadata(call.params, dispute.metadata);
  if (call.params.evidence === undefined) {
    call.emit('charge.dispute.updated', dispute);
    return dispute;
  }
  if (!isOpen(dispute)) throw invalid('This dispute is already closed.');
  Object.assign(dispute.evidence, evidence);
  dispute.evidence_details.has_evidence = true;
  dispute.evidence_details.submission_count += 1;
  // docs.stripe.com/disputes/api: evidence is submitted at once, and the bank reviews it.
  dispute.status = dispute.status.startsWith('warning_') ? 'warning_under_review' : 'under_review';
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

/** The money captured by one payment intent. */
export interface Capture {
  payment_intent: string;
  /** Minor units, as charged. */
  amount: number;
  /** Minor units. */
  refunded: number;
  currency: string;
  customer: string | null;
  /** The subscription paid by the intent, if any. */
  subscription: string | null;
  /** The intent's own metadata over the subscription's. */
  metadata: Record<string, string>;
}

/** Every succeeded payment intent, oldest first. */
export function capturesOf(state: StripeState): Capture[] {
  return Object.values(state.payment_intents)
    .filter(({ status }) => status === 'succeeded')
    .map((intent) => {
      const details = invoiceOf(intent, state)?.parent?.subscription_details;
      const charge = state.charges[idOf(intent.latest_charge)];
      return {
        payment_intent: intent.id,
        amount: intent.amount_received,
        refunded: charge?.amount_refunded ?? 0,
        currency: intent.currency,
        customer: idOf(intent.customer) || null,
        subscription: idOf(details?.subscription) || null,
        metadata: { ...details?.metadata, ...intent.metadata },
      };
    });
}

function chargeToRefund({ params, state }: Call): Stripe.Charge {
  const direct = text(params, 'charge');
  if (direct) return find(state.charges, 'charge', direct, 'charge');
  const named = text(params, 'payment_intent');
  if (!named) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  }
  const intent = find(state.payment_intents, 'payment_intent', named, 'payment_intent');
  const charge = state.charges[idOf(intent.latest_charge)];
  if (!charge?.paid) {
    throw invalid(`This PaymentIntent (${named}) does not have a successful charge to refund.`);
  }
  return charge;
}

/**
 * POST /refunds. Card refunds succeed at once; an excessive amount is refused on `amount`, a second full refund
 * with charge_already_refunded. https://docs.stripe.com/refunds
 */
export function createRefund(call: Call): Stripe.Refund {
  const { params, state, now } = call;
  const charge = chargeToRefund(call);
  const dispute = disputeOf(charge.id, state);
  if (dispute && dispute.status !== 'won' && !dispute.is_charge_refundable) {
    throw invalid(`Charge ${charge.id} has been charged back.`, 'charge_disputed');
  }
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  }
  const amount = whole(params, 'amount', left);
  if (amount < 1) {
    throw invalid(
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
      'amount',
    );
  }
  if (amount > left) {
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      undefined,
      'amount',
    );
  }
  const refund: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    metadata: metadata(params),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: textOrNull(params, 'reason'),
    status: 'succeeded',
    ...nulls('balance_transaction customer_account receipt_number source_transfer_reversal'),
    transfer_reversal: null,
  };
  state.refunds[refund.id] = refund;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  call.emit('refund.created', refund);
  call.emit('charge.refunded', charge);
  return refund;
}

/** The bank returns a refund: the money is back in our balance. https://docs.stripe.com/refunds#failed-refunds */
export function failRefund(refund: Stripe.Refund, { state, emit }: Context): void {
  const charge = find(state.charges, 'charge', idOf(refund.charge));
  refund.status = 'failed';
  refund.failure_reason = 'expired_or_canceled_card';
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  emit('refund.failed', refund);
  emit('refund.updated', refund);
  // "on selected payment methods. For updates on all refunds, listen to refund.updated instead": the SDK's types.
  if (charge.payment_method_details?.type === 'card') emit('charge.refund.updated', refund);
}

export const listRefunds = ({ state, params }: Call) =>
  page(state.refunds, '/v1/refunds', params, ({ charge, payment_intent }) =>
    fits(params, { charge, payment_intent }),
  );
