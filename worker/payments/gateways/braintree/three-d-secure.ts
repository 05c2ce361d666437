import { BraintreeAmbiguousError, rest } from './client.ts';
import type { Account } from './credentials.ts';
import { childOf, textOf, type Xml } from './xml.ts';

/** The European Economic Area and the United Kingdom, ISO 3166 alpha-3: strong authentication is law. */
const europe = new Set(
  (
    'AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN ISL IRL ITA LVA LIE LTU LUX MLT NLD NOR ' +
    'POL PRT ROU SVK SVN ESP SWE GBR'
  ).split(' '),
);

const failures = new Set([
  'authenticate_failed',
  'authenticate_frictionless_failed',
  'authenticate_rejected',
  'authenticate_signature_verification_failed',
  'challenge_required',
]);

/**
 * Whether a bank can ask who pays: about a card that was typed, and about one that Google Pay passes
 * on as it is. The other wallets ask for a finger or a face themselves.
 */
const verifiable = (nonce: Xml | undefined) => {
  const type = textOf(nonce, 'type');
  if (type !== 'AndroidPayCard') return type === 'CreditCard';
  return childOf(nonce, 'details', 'is-network-tokenized') === false;
};

/**
 * Whether a nonce may be charged: `verify` when the card has to be verified first, `failed` when the
 * bank did not know the payer, `go` otherwise. The browser's word is not asked.
 */
export async function readiness(
  account: Account,
  nonce: string,
): Promise<'go' | 'verify' | 'failed'> {
  const reply = await rest(account, 'GET', `/payment_method_nonces/${encodeURIComponent(nonce)}`);
  // One that is spent, or unknown: charging it says which of the two.
  if (reply.is === 'missing') return 'go';
  if (reply.is === 'refused') throw new BraintreeAmbiguousError(`nonce ${reply.codes}`);
  const found = childOf(reply.body, 'payment-method-nonce');
  if (childOf(found, 'consumed') === true || !verifiable(found)) return 'go';
  const status = textOf(found, 'three-d-secure-info', 'status');
  if (status) return failures.has(status) ? 'failed' : 'go';
  if (account.threeDSecure === 'asked') return 'go';
  const issued = textOf(found, 'bin-data', 'country-of-issuance');
  return account.threeDSecure === 'always' || europe.has(issued) ? 'verify' : 'go';
}

/** Whether a nonce was charged. */
export async function isSpent(account: Account, nonce: string): Promise<boolean> {
  const reply = await rest(account, 'GET', `/payment_method_nonces/${encodeURIComponent(nonce)}`);
  return reply.is === 'done' && childOf(reply.body, 'payment-method-nonce', 'consumed') === true;
}

/**
 * What tells a card, or a PayPal account, from others before it is charged. Braintree's own
 * `uniqueNumberIdentifier` is of vaulted cards only, and of no wallet's
 * (developer.paypal.com/braintree/graphql/reference/types/credit-card-details): so it is the first six
 * and last four digits with the expiry, which one in some millions of cards share.
 *
 * @returns null when the nonce is not known, or says none of it
 */
export async function fingerprintOf(account: Account, nonce: string): Promise<string | null> {
  const reply = await rest(account, 'GET', `/payment_method_nonces/${encodeURIComponent(nonce)}`);
  if (reply.is === 'missing') return null;
  if (reply.is === 'refused') throw new BraintreeAmbiguousError(`nonce ${reply.codes}`);
  const details = childOf(childOf(reply.body, 'payment-method-nonce'), 'details');
  const payer = textOf(details, 'payer-info', 'payer-id') || textOf(details, 'payer-info', 'email');
  if (payer) return payer;
  const card = ['bin', 'last-four', 'expiration-month', 'expiration-year'];
  const told = card.map((field) => textOf(details, field));
  return told[0] && told[1] ? told.join(':') : null;
}

/**
 * A nonce of a saved method, to be verified by its owner: `nonce#bin`, because 3-D Secure wants the
 * card's first digits too, and no field in the browser knows those of a saved card.
 *
 * @returns null for a saved wallet, which no bank can ask about
 */
export async function nonceOf(account: Account, token: string): Promise<string | null> {
  const reply = await rest(
    account,
    'POST',
    `/payment_methods/${encodeURIComponent(token)}/nonces`,
    {},
  );
  if (reply.is !== 'done') throw new BraintreeAmbiguousError('no nonce of a saved method');
  const made = childOf(reply.body, 'payment-method-nonce');
  if (!verifiable(made)) return null;
  return `${textOf(made, 'nonce')}#${textOf(made, 'details', 'bin')}`;
}
