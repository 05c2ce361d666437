import { codeOf } from '../cards.ts';
import { statusOf, textOf } from '../refunds.ts';
import { sell } from '../sale.ts';
import {
  currencyOf,
  Invalid,
  type Method,
  minor,
  NotFound,
  newId,
  type Sandbox,
} from '../state.ts';
import { type Fields, field, findSubscription, nextBilling } from '../subscriptions.ts';
import { consumeNonce, nonceNamed, vault } from '../vault.ts';
import { saleFields } from './views.ts';

/**
 * A verification or transaction that the bank declined: its object is in the error response, as the official
 * clients read it (`ErrorResponse`: `verification`, `transaction`).
 */
export class Unsuccessful extends Error {
  readonly fields: object;
  constructor(message: string, fields: object) {
    super(message);
    this.fields = fields;
  }
}

const fields = new Set('customer_id token payment_method_nonce device_data options'.split(' '));
const options = new Set(
  'make_default verify_card verification_merchant_account_id fail_on_duplicate_payment_method'.split(
    ' ',
  ),
);

function refuseUnknownFields(given: Fields, known: ReadonlySet<string>) {
  const unknown = Object.keys(given).find((name) => !known.has(name));
  if (unknown) throw new Error(`test/fakes/braintree does not implement ${unknown}`);
}

const invalid = (code: string, name: string, text: string) =>
  new Invalid(code, name, text, 'payment-method');

/**
 * POST /payment_methods. `verify_card` makes the bank verify the card before it is stored; a token in use and a
 * consumed nonce are refused.
 * https://developer.paypal.com/braintree/docs/reference/request/payment-method/create
 */
export function createMethod(sandbox: Sandbox, given: Fields): Method {
  refuseUnknownFields(given, fields);
  const chosen = (given.options ?? {}) as Fields;
  refuseUnknownFields(chosen, options);
  const { state } = sandbox;
  const customer = field(given, 'customer_id') ?? '';
  if (!state.customers[customer]) {
    throw invalid('91701', 'customer_id', 'Customer ID is invalid.');
  }
  const token = field(given, 'token') ?? newId();
  if (!/^[\w-]{1,36}$/.test(token)) throw invalid('91718', 'token', 'Token is invalid.');
  if (state.methods[token]) throw invalid('91719', 'token', 'Duplicate token.');
  const nonce = field(given, 'payment_method_nonce') ?? '';
  try {
    if (nonceNamed(sandbox, nonce).consumed) {
      const text = 'Cannot use a paymentMethodNonce more than once.';
      throw invalid('93107', 'payment_method_nonce', text);
    }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw invalid('93108', 'payment_method_nonce', 'Unknown or expired paymentMethodNonce.');
  }
  const { card, threeDSecure } = consumeNonce(sandbox, nonce);
  const code = codeOf(card) ?? '1000';
  const isFailed = threeDSecure !== null && /failed|rejected/.test(threeDSecure.status);
  if (field(chosen, 'verify_card') === 'true' && (isFailed || code !== '1000')) {
    const isRejected = isFailed || code === 'fraud';
    throw new Unsuccessful(isRejected ? 'Gateway Rejected' : textOf(code), {
      verification: {
        status: isRejected ? 'gateway_rejected' : statusOf(code).toLowerCase(),
        'gateway-rejection-reason': isFailed ? 'three_d_secure' : isRejected ? 'fraud' : null,
        'processor-response-code': isRejected ? '' : code,
        'processor-response-text': isRejected ? '' : textOf(code),
      },
    });
  }
  const stored = vault(sandbox, customer, card, token);
  if (field(chosen, 'make_default') === 'true') {
    for (const other of Object.values(state.methods)) {
      if (other.customer === customer) other.isDefault = other === stored;
    }
  }
  return stored;
}

export function findMethod({ state }: Sandbox, token: string): Method {
  const found = state.methods[token];
  if (!found) throw new NotFound(token);
  return found;
}

const changeable = new Set(['payment_method_token', 'options']);

/**
 * PUT /subscriptions/:id. "A Past Due subscription will be automatically retried if the payment method
 * associated with the subscription is updated and you have proration enabled or are passing the prorate
 * charges option": so a change that does not refuse proration is not implemented.
 * https://developer.paypal.com/braintree/docs/guides/recurring-billing/overview
 */
export function updateSubscription(sandbox: Sandbox, id: string, given: Fields) {
  refuseUnknownFields(given, changeable);
  const subscription = findSubscription(sandbox, id);
  if (subscription.status === 'Canceled') {
    const text = 'Cannot edit a canceled subscription.';
    throw new Invalid('81901', 'base', text, 'subscription');
  }
  if ((given.options as Fields | undefined)?.prorate_charges !== false) {
    throw new Error('test/fakes/braintree does not prorate');
  }
  const token = field(given, 'payment_method_token') ?? '';
  if (!sandbox.state.methods[token]) {
    const text = 'Payment method token is invalid.';
    throw new Invalid('91903', 'payment_method_token', text, 'subscription');
  }
  subscription.token = token;
  return subscription;
}

/**
 * POST /transactions with a subscription: "Subscription: Retry Charge" of the balance, for one that is past
 * due only (91531). https://developer.paypal.com/braintree/docs/reference/request/subscription/retry-charge
 */
export function retryCharge(sandbox: Sandbox, id: string, given: Fields) {
  const subscription = findSubscription(sandbox, id);
  if (subscription.status !== 'Past Due') {
    const text = 'Subscription status must be Past Due in order to retry.';
    throw new Invalid('91531', 'base', text);
  }
  const balance = subscription.balance ?? 0;
  const requestedAmount = field(given, 'amount');
  const amount =
    requestedAmount === undefined
      ? balance
      : minor(requestedAmount, currencyOf(subscription.merchantAccount));
  const sale = sell(sandbox, {
    nonce: null,
    token: subscription.token,
    amount,
    merchantAccount: subscription.merchantAccount,
    orderId: null,
    customer: null,
    vaultOnSuccess: false,
    subscription: id,
  });
  if (sale.status !== 'SUBMITTED_FOR_SETTLEMENT') {
    throw new Unsuccessful(sale.processorText, { transaction: saleFields(sandbox, sale) });
  }
  subscription.balance = balance - amount;
  if (subscription.balance <= 0) {
    subscription.status = 'Active';
    subscription.failures = 0;
    const next = nextBilling(subscription, sandbox.now());
    subscription.nextBillingAt = next;
    subscription.paidThroughAt = next;
    sandbox.notify('subscription_charged_successfully', subscription);
    sandbox.notify('subscription_went_active', subscription);
  }
  return sale;
}
