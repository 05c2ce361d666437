import type { Stripe } from 'stripe';
import { invalid } from './call.ts';
import { group, metadata, type Params, text } from './params.ts';
import { newId, nulls, type StripeState } from './state.ts';

/** The bank's result for a debit, and its delay in seconds. */
interface TestBank {
  pays: boolean;
  after: number;
  disputes?: boolean;
}

/** docs.stripe.com/payments/sepa-debit/accept-a-payment#test-integration: the IBANs of the tests. */
const testBanks: Record<string, TestBank> = {
  AT611904300234573201: { pays: true, after: 0 },
  AT321904300235473204: { pays: true, after: 180 },
  AT861904300235473202: { pays: false, after: 0 },
  AT051904300235473205: { pays: false, after: 180 },
  AT591904300235473203: { pays: true, after: 0, disputes: true },
};

const types = ['sepa_debit', 'ideal', 'bancontact'] as const;
type BankType = (typeof types)[number];

const isBankType = (type: string | undefined): type is BankType =>
  (types as readonly (string | undefined)[]).includes(type);

/** The bank behind a payment method; undefined for a card. */
export const bankOf = (method: Stripe.PaymentMethod, state: StripeState): TestBank | undefined =>
  testBanks[state.banks[method.id] ?? ''];

/** `billing_details` of a payment method. */
export function billingOf(params: Params) {
  const { address, ...given } = group(params, 'billing_details');
  const place = nulls('city country line1 line2 postal_code state');
  return {
    ...nulls('email name phone tax_id'),
    ...given,
    address: typeof address === 'object' ? { ...place, ...address } : place,
  };
}

/** Stores a payment method of a type with its details. */
export function addPaymentMethod(
  type: BankType | 'paypal',
  details: object,
  params: Params,
  state: StripeState,
  now: number,
): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: billingOf(params),
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: metadata(params),
    type,
    [type]: details,
  };
  state.payment_methods[method.id] = method;
  return method;
}

function build(type: BankType, iban: string, params: Params, state: StripeState, now: number) {
  const account = {
    bank_code: iban.slice(4, 9),
    branch_code: null,
    country: iban.slice(0, 2),
    fingerprint: `fakebank${iban.slice(-8)}`,
    generated_from: null,
    last4: iban.slice(-4),
  };
  const details = type === 'sepa_debit' ? account : {};
  const method = addPaymentMethod(type, details, params, state, now);
  state.banks[method.id] = iban;
  return method;
}

/** POST /payment_methods of a bank; undefined for any other type. */
export function createBankMethod(params: Params, state: StripeState, now: number) {
  const type = text(params, 'type');
  if (!isBankType(type)) return undefined;
  const [known = ''] = Object.keys(testBanks);
  if (type !== 'sepa_debit') return build(type, known, params, state, now);
  const iban = (text(group(params, 'sepa_debit'), 'iban') ?? '').replaceAll(' ', '');
  // docs.stripe.com/api/payment_methods/create: name and email are required.
  const { name, email } = group(params, 'billing_details');
  if (!name || !email)
    throw invalid('Missing required param: billing_details.', 'parameter_missing');
  if (!testBanks[iban]) {
    throw invalid(
      'The IBAN you provided is invalid.',
      'invalid_bank_account_iban',
      'sepa_debit[iban]',
    );
  }
  return build(type, iban, params, state, now);
}

/**
 * The account behind a redirect payment, saved for debits: `generated_sepa_debit` of the charge.
 * docs.stripe.com/payments/ideal/save-during-payment
 */
export function savedDebit(method: Stripe.PaymentMethod, customer: string, state: StripeState) {
  const iban = state.banks[method.id] ?? '';
  const saved = build('sepa_debit', iban, {}, state, method.created);
  saved.customer = customer;
  state.set_up[saved.id] = true;
  return saved;
}
