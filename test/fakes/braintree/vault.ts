import { type Choice, choices } from '../browser/wallet-sheet.ts';
import { consumedNonce, testNonces, walletCard } from './cards.ts';
import {
  type CardView,
  Invalid,
  type Method,
  type Nonce,
  NotFound,
  newId,
  type Sandbox,
} from './state.ts';

export function makeNonce(
  { state }: Pick<Sandbox, 'state'>,
  card: CardView,
  more: Partial<Pick<Nonce, 'threeDSecure' | 'token'>> = {},
): Nonce {
  const nonce = `tokencc_bf_${newId(6)}_${newId(6)}_${newId(6)}_${newId(3)}`;
  const newNonce: Nonce = {
    nonce,
    card,
    consumed: false,
    threeDSecure: null,
    token: null,
    ...more,
  };
  state.nonces[nonce] = newNonce;
  return newNonce;
}

/** A published nonce is created again each time. */
export function nonceNamed({ state }: Sandbox, nonce: string): Nonce {
  const card = testNonces[nonce];
  const blank = { nonce, consumed: false, threeDSecure: null, token: null };
  if (card) return { ...blank, card };
  if (nonce === consumedNonce) {
    return { ...blank, card: testNonces['fake-valid-nonce'] as CardView, consumed: true };
  }
  const found = state.nonces[nonce];
  if (!found) throw new NotFound(nonce);
  return found;
}

/** Consumes a nonce. */
export function consumeNonce(sandbox: Sandbox, name: string): Nonce {
  let nonce: Nonce;
  try {
    nonce = nonceNamed(sandbox, name);
  } catch {
    throw new Invalid('91565', 'paymentMethodId', 'Unknown or expired payment_method_nonce.');
  }
  if (nonce.consumed) {
    const text = 'Cannot use a payment_method_nonce more than once.';
    throw new Invalid('91564', 'paymentMethodId', text);
  }
  nonce.consumed = true;
  return nonce;
}

/** Stores a card with a customer. */
export function vault(
  { state, now }: Sandbox,
  customer: string,
  card: CardView,
  token = newId(),
): Method {
  const method: Method = { token, customer, card, createdAt: now() };
  state.methods[method.token] = method;
  return method;
}

type Body = Record<string, unknown>;
const invalid = (text: string) => new Invalid('93101', 'payment', text);
const isChoice = (value: unknown): value is Choice =>
  typeof value === 'string' && Object.hasOwn(choices, value);
/** POST payment_methods/apple_payment_tokens: written by the fake's Apple Pay sheet. */
function tokenizeApple(sandbox: Sandbox, { applePaymentToken }: Body) {
  const { paymentData = '' } = (applePaymentToken ?? {}) as { paymentData?: string };
  const { choice } = JSON.parse(atob(paymentData)) as { choice?: unknown };
  if (!isChoice(choice)) throw invalid('not a payment of the Braintree fake');
  const { nonce } = makeNonce(sandbox, walletCard('apple_pay', choice));
  return { applePayCards: [{ nonce, type: 'ApplePayCard' }] };
}

/** Google's payment token: a text that contains Braintree's answer. */
export function tokenizeGoogle(sandbox: Pick<Sandbox, 'state'>, choice: unknown) {
  if (!isChoice(choice)) throw invalid('not a payment of the Braintree fake');
  const { nonce, card } = makeNonce(sandbox, walletCard('google_pay', choice));
  const details = { isNetworkTokenized: card.tokenized, bin: card.bin };
  return { androidPayCards: [{ nonce, type: 'AndroidPayCard', details }] };
}

/** POST paypal_hermes/setup_billing_agreement */
function setUpAgreement({ state }: Sandbox, requested: Body) {
  const tokenId = `BA-${newId(17).toUpperCase()}`;
  state.agreements[tokenId] = { requested, choice: null };
  const approvalUrl = `https://www.sandbox.paypal.com/agreements/approve?ba_token=${tokenId}`;
  return { agreementSetup: { tokenId, approvalUrl } };
}

/** POST payment_methods/paypal_accounts: once, and only after the payer's consent. */
function tokenizePayPal(sandbox: Sandbox, { paypalAccount }: Body) {
  const { billingAgreementToken = '' } = (paypalAccount ?? {}) as {
    billingAgreementToken?: string;
  };
  const agreement = sandbox.state.agreements[billingAgreementToken];
  if (!agreement?.choice) throw invalid('no agreement that the payer approved');
  delete sandbox.state.agreements[billingAgreementToken];
  const { nonce } = makeNonce(sandbox, walletCard('paypal', agreement.choice));
  return { paypalAccounts: [{ nonce, type: 'PayPalAccount' }] };
}

const calls: Record<string, (sandbox: Sandbox, body: Body) => object> = {
  'payment_methods/apple_payment_tokens': tokenizeApple,
  'payment_methods/paypal_accounts': tokenizePayPal,
  'paypal_hermes/setup_billing_agreement': setUpAgreement,
  'apple_pay_web/sessions': (_world, { applePayWebSession }) => ({
    merchantSessionIdentifier: newId(16),
    ...(applePayWebSession as object),
  }),
};

/** The wallets' calls under `client_api/v1`; undefined for any other. */
export const answerWallet = (sandbox: Sandbox, path: string, body: Body): object | undefined =>
  Object.hasOwn(calls, path) ? calls[path]?.(sandbox, body) : undefined;
