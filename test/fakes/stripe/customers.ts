import type { Stripe } from 'stripe';
import { luhn } from '../browser/card-format.ts';
import { billingOf, createBankMethod } from './banks.ts';
import { type Call, cardError, find, idOf, invalid, missing, only, Refused } from './call.ts';
import { cardNamed, TEST_CARDS } from './cards.ts';
import { group, metadata, type Params, text, textOrNull, whole } from './params.ts';
import { createPayPal, isPayPal } from './paypal.ts';
import { newId, nulls, type StripeState } from './state.ts';
import { locate } from './tax.ts';

const fields = ['email', 'name', 'phone', 'description'] as const;
const accepted = [...fields, 'metadata', 'payment_method', 'invoice_settings', 'tax'];

function write(customer: Stripe.Customer, call: Call): void {
  const { params, state, now } = call;
  only(params, accepted, 'customers');
  locate(customer.id, call);
  for (const name of fields) if (name in params) customer[name] = textOrNull(params, name);
  customer.metadata = metadata(params, customer.metadata);
  const paying = text(params, 'payment_method');
  const attached = paying ? usable(paying, state, now, 'payment_method') : undefined;
  if (attached) attachTo(attached, customer.id, state);
  const chosen = text(group(params, 'invoice_settings'), 'default_payment_method');
  if (chosen) {
    const method = find(
      state.payment_methods,
      'PaymentMethod',
      // The test methods of the documentation get an id of their own when they are attached.
      (chosen === paying && attached?.id) || chosen,
      'invoice_settings[default_payment_method]',
    );
    customer.invoice_settings.default_payment_method = method.id;
  }
}

export function createCustomer(call: Call): Stripe.Customer {
  const { state, now } = call;
  const customer: Stripe.Customer = {
    id: newId('cus', 14),
    object: 'customer',
    balance: 0,
    created: now,
    invoice_settings: nulls('custom_fields default_payment_method footer rendering_options'),
    livemode: false,
    metadata: {},
    ...nulls('default_source description email name phone shipping'),
  };
  write(customer, call);
  state.customers[customer.id] = customer;
  call.emit('customer.created', customer);
  return customer;
}

export const retrieveCustomer = ({ state, id }: Call) => find(state.customers, 'customer', id);

export function updateCustomer(call: Call): Stripe.Customer {
  const customer = find(call.state.customers, 'customer', call.id);
  write(customer, call);
  call.emit('customer.updated', customer);
  return customer;
}

function build(named: string, params: Params, state: StripeState, now: number) {
  const test = TEST_CARDS[named];
  if (!test) throw new Error(`no test card ${named}`);
  const year = new Date(now * 1000).getUTCFullYear() + 1;
  const card = group(params, 'card');
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: billingOf(params),
    card: {
      brand: test.brand,
      checks: null,
      country: test.country,
      display_brand: test.brand,
      exp_month: whole(card, 'exp_month', 12),
      exp_year: fullYear(whole(card, 'exp_year', year)),
      fingerprint: `fake${named.replaceAll('_', '')}`.slice(0, 24),
      funding: test.funding,
      generated_from: null,
      last4: test.number.slice(-4),
      networks: { available: [test.brand], preferred: null },
      regulated_status: null,
      three_d_secure_usage: { supported: test.challenge !== 'never' },
      wallet: null,
    },
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: metadata(params),
    type: 'card',
  };
  state.payment_methods[method.id] = method;
  state.cards[method.id] = named;
  return method;
}

const fullYear = (year: number) => (year < 100 ? 2000 + year : year);

/** Stripe's validation of expiry and security code before it calls a bank. */
function checkCard(card: Params, now: number): string {
  const number = (text(card, 'number') ?? '').replaceAll(' ', '');
  const month = whole(card, 'exp_month', 0);
  const year = fullYear(whole(card, 'exp_year', 0));
  const today = new Date(now * 1000);
  const refuse = (code: string, param: string, message: string) =>
    cardError({ code, param: `card[${param}]`, message });
  if (!luhn(number)) {
    throw refuse('incorrect_number', 'number', 'Your card number is incorrect.');
  }
  if (month < 1 || month > 12) {
    throw refuse('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  const past = year * 12 + month < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1;
  if (past || year > today.getUTCFullYear() + 50) {
    throw refuse('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  const cvc = text(card, 'cvc');
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    throw refuse('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  const named = cardNamed(number);
  if (!named) {
    // https://docs.stripe.com/declines/codes: test_mode_live_card
    throw cardError({
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test (live) card.',
    });
  }
  return named;
}

/** POST /payment_methods; a raw number only from the browser. */
export function createPaymentMethod(call: Call): Stripe.PaymentMethod {
  const { params, state, now, browser } = call;
  const created = createBankMethod(params, state, now) ?? createPayPal(params, state, now);
  if (created) return created;
  if (text(params, 'type') !== 'card') {
    throw invalid('This fake takes cards, banks and PayPal only.', undefined, 'type');
  }
  const card = group(params, 'card');
  const token = text(card, 'token');
  if (token) {
    const named = cardNamed(token.replace(/^tok_/, 'pm_card_'));
    if (!named) throw missing('token', token, 'card[token]');
    return build(named, params, state, now);
  }
  if (!browser) {
    // https://docs.stripe.com/testing: card numbers in API calls need raw card data access.
    throw new Refused(402, {
      type: 'invalid_request_error',
      message: 'Sending credit card numbers directly to the Stripe API is generally unsafe.',
    });
  }
  return build(checkCard(card, now), params, state, now);
}

export const retrievePaymentMethod = ({ state, id, now }: Call): Stripe.PaymentMethod =>
  usable(id, state, now, 'id');

/**
 * A stored payment method, or for a published `pm_card_*` id a fresh one: "a new PaymentMethod with
 * an id of its own". https://docs.stripe.com/testing?testing-method=payment-methods
 */
export function usable(id: string, state: StripeState, now: number, param: string) {
  const named = id.startsWith('pm_card_') ? cardNamed(id) : undefined;
  return named
    ? build(named, {}, state, now)
    : find(state.payment_methods, 'PaymentMethod', id, param);
}

/**
 * Attaches to a customer. Cards that always decline "can't be attached to a Customer object", apart
 * from 4000000000000341. https://docs.stripe.com/testing#declined-payments
 */
export function attachTo(method: Stripe.PaymentMethod, customer: string, state: StripeState): void {
  const owner = idOf(method.customer);
  if (owner === customer) return;
  if (owner !== '') {
    throw invalid('The payment method you provided has already been attached to a customer.');
  }
  if (state.spent[method.id]) throw usedUp();
  if (method.type === 'ideal' || method.type === 'bancontact') {
    throw invalid('The type of payment method that you provided cannot be attached to a customer.');
  }
  const card = TEST_CARDS[state.cards[method.id] ?? ''];
  if (card?.decline && !card.attaches) throw cardError({ ...card.decline });
  method.customer = customer;
}

/** https://docs.stripe.com/payments/payment-methods: one use unless attached. */
export const usedUp = () =>
  invalid('The provided PaymentMethod was previously used. It may not be used again.');

export function attachPaymentMethod(call: Call): Stripe.PaymentMethod {
  const { params, state, now, id } = call;
  const customer = text(params, 'customer');
  if (!customer) {
    throw invalid('Missing required param: customer.', 'parameter_missing', 'customer');
  }
  find(state.customers, 'customer', customer, 'customer');
  const method = usable(id, state, now, 'id');
  // docs.stripe.com/payments/paypal/set-up-future-payments: an intent with setup_future_usage attaches it.
  if (isPayPal(method) && !method.customer) {
    throw invalid('The type of payment method that you provided cannot be attached to a customer.');
  }
  attachTo(method, customer, state);
  call.emit('payment_method.attached', method);
  return method;
}

/**
 * POST /__wallet, for the fake Stripe.js only, not part of Stripe's API: the card of a wallet's sheet. Link is a
 * separate type, whatever pays it (docs.stripe.com/payments/link/link-payment-integrations).
 */
export function createWalletMethod({ params, state, now }: Call): Stripe.PaymentMethod {
  const wallet = text(params, 'wallet') ?? '';
  const card = cardNamed(text(params, 'card') ?? '');
  if (!card) throw invalid('No such test card.', undefined, 'card');
  const method = usable(card, state, now, 'card');
  if (!method.card || !['apple_pay', 'google_pay', 'link'].includes(wallet)) {
    throw invalid('No such wallet.', undefined, 'wallet');
  }
  if (wallet === 'link') {
    delete method.card;
    Object.assign(method, { type: wallet, link: { email: 'buyer@example.com' } });
    return method;
  }
  method.card.wallet = { dynamic_last4: method.card.last4, type: wallet, [wallet]: {} };
  return method;
}
