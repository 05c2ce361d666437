import type { Stripe } from 'stripe';
import { bankOf, savedDebit } from './banks.ts';
import { type Context, idOf, invalid } from './call.ts';
import { addCharge } from './charges.ts';
import { attachTo } from './customers.ts';
import { beginUnpaid, failRenewal, invoiceOf, invoiceUnpaid, payInvoice } from './invoices.ts';
import { openDispute } from './refunds-and-disputes.ts';

export interface BankAttempt {
  /** Whether `mandate_data` was sent. */
  mandate?: boolean;
  returnUrl?: string;
}

/** docs.stripe.com/payments/paymentintents/lifecycle: `processing` "while the payment attempt is in progress". */
function startDebit(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, context: Context) {
  const { state, now, emit } = context;
  const customer = idOf(intent.customer);
  if (intent.setup_future_usage && customer && !method.customer) attachTo(method, customer, state);
  state.set_up[method.id] = true;
  addCharge(intent, method, context, undefined, 'pending');
  intent.status = 'processing';
  intent.next_action = null;
  intent.last_payment_error = null;
  state.debits[intent.id] = now + (bankOf(method, state)?.after ?? 0);
  emit('payment_intent.processing', intent);
  const invoice = invoiceOf(intent, state);
  if (invoice) beginUnpaid(invoice, context);
}

/** One attempt to charge a bank: a debit is processed for a while, a redirect first needs the payer. */
export function chargeBank(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { mandate = false, returnUrl }: BankAttempt,
  context: Context,
): void {
  const { state, emit } = context;
  if (intent.currency !== 'eur') throw invalid(`${method.type} needs EUR.`, undefined, 'currency');
  intent.payment_method = method.id;
  if (method.type === 'sepa_debit') {
    if (!mandate && !state.set_up[method.id]) {
      throw invalid('This PaymentIntent requires a mandate.', 'parameter_missing', 'mandate_data');
    }
    startDebit(intent, method, context);
    return;
  }
  if (!returnUrl)
    throw invalid('You must provide a return_url.', 'parameter_missing', 'return_url');
  if (intent.setup_future_usage && !mandate) {
    throw invalid('This PaymentIntent requires a mandate.', 'parameter_missing', 'mandate_data');
  }
  intent.status = 'requires_action';
  intent.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: {
      return_url: returnUrl,
      url: `https://pm-redirects.stripe.com/authorize/${intent.id}`,
    },
  };
  emit('payment_intent.requires_action', intent);
}

function settle(intent: Stripe.PaymentIntent, saved: string, context: Context): void {
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.next_action = null;
  intent.last_payment_error = null;
  context.emit('payment_intent.succeeded', intent);
  const invoice = invoiceOf(intent, context.state);
  if (invoice) payInvoice(invoice, saved, context);
}

function refuse(intent: Stripe.PaymentIntent, code: string, context: Context): void {
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    code,
    message: 'The payment failed.',
  };
  intent.payment_method = null;
  intent.next_action = null;
  context.emit('payment_intent.payment_failed', intent);
  invoiceUnpaid(intent, context);
}

/** The payer returns from the page of iDEAL or Bancontact, whose result is known at once. */
export function returnFromBank(
  intent: Stripe.PaymentIntent,
  paid: boolean,
  context: Context,
): void {
  const { state } = context;
  const method = state.payment_methods[idOf(intent.payment_method)];
  if (!method) throw invalid(`${intent.id} has no payment method.`);
  if (!paid) {
    refuse(intent, 'payment_intent_payment_attempt_failed', context);
    return;
  }
  const charge = addCharge(intent, method, context);
  const customer = idOf(intent.customer);
  const saved = intent.setup_future_usage && customer ? savedDebit(method, customer, state) : null;
  charge.payment_method_details = {
    type: method.type,
    [method.type]: { generated_sepa_debit: saved?.id ?? null },
  };
  settle(intent, saved?.id ?? method.id, context);
}

/** The bank reports a debit as paid or failed: docs.stripe.com/payments/sepa-debit. */
function answerDebit(intent: Stripe.PaymentIntent, context: Context): void {
  const { state, emit } = context;
  delete state.debits[intent.id];
  const method = state.payment_methods[idOf(intent.payment_method)];
  const charge = state.charges[idOf(intent.latest_charge)];
  const bank = method && bankOf(method, state);
  if (!method || !charge || !bank) return;
  charge.status = bank.pays ? 'succeeded' : 'failed';
  charge.paid = bank.pays;
  if (!bank.pays) {
    charge.captured = false;
    charge.amount_captured = 0;
    charge.failure_code = 'insufficient_funds';
    emit('charge.failed', charge);
    refuse(intent, 'payment_intent_payment_attempt_failed', context);
    const invoice = invoiceOf(intent, state);
    if (invoice) failRenewal(invoice, context);
    return;
  }
  emit('charge.succeeded', charge);
  settle(intent, method.id, context);
  if (bank.disputes) openDispute(charge, 'general', context);
}

/** Pending debits as events of the clock. */
export function* debitsDue(state: Context['state']) {
  for (const [id, at] of Object.entries(state.debits)) {
    const intent = state.payment_intents[id];
    if (intent) yield { at, run: (context: Context) => answerDebit(intent, context) };
  }
}
