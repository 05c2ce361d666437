import { BraintreeAmbiguousError, type BraintreeConfig, rest } from './client.ts';
import { childOf, textOf, type Xml } from './xml.ts';

/** Strong authentication is law in the EEA and the United Kingdom; ISO 3166 alpha-3. */
const europe = new Set(
  (
    'AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN ISL IRL ITA LVA LIE LTU LUX MLT NLD NOR ' +
    'POL PRT ROU SVK SVN ESP SWE GBR'
  ).split(' '),
);

const failedStatuses = new Set([
  'authenticate_failed',
  'authenticate_frictionless_failed',
  'authenticate_rejected',
  'authenticate_signature_verification_failed',
  'challenge_required',
]);

/** A typed card, or a card number of Google Pay. Other wallets verify the payer themselves. */
const supportsThreeDSecure = (nonce: Xml | undefined) => {
  const type = textOf(nonce, 'type');
  if (type !== 'AndroidPayCard') return type === 'CreditCard';
  return childOf(nonce, 'details', 'is-network-tokenized') === false;
};

export async function chargeReadiness(
  config: BraintreeConfig,
  nonce: string,
): Promise<'go' | 'verify' | 'failed'> {
  const reply = await rest(config, `GET /payment_method_nonces/${encodeURIComponent(nonce)}`);
  if (reply.kind === 'missing') return 'go';
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`nonce ${reply.codes}`);
  const found = childOf(reply.body, 'payment-method-nonce');
  if (childOf(found, 'consumed') === true || !supportsThreeDSecure(found)) return 'go';
  const status = textOf(found, 'three-d-secure-info', 'status');
  if (status) return failedStatuses.has(status) ? 'failed' : 'go';
  if (config.threeDSecure === 'on_request') return 'go';
  const issued = textOf(found, 'bin-data', 'country-of-issuance');
  return config.threeDSecure === 'always' || europe.has(issued) ? 'verify' : 'go';
}

export async function isConsumed(config: BraintreeConfig, nonce: string): Promise<boolean> {
  const reply = await rest(config, `GET /payment_method_nonces/${encodeURIComponent(nonce)}`);
  return reply.kind === 'done' && childOf(reply.body, 'payment-method-nonce', 'consumed') === true;
}

/**
 * Braintree's `uniqueNumberIdentifier` exists for vaulted cards only
 * (developer.paypal.com/braintree/graphql/reference/types/credit-card-details), so a card is its first
 * six and last four digits with the expiry: one in millions of cards collides.
 */
export async function cardFingerprint(
  config: BraintreeConfig,
  nonce: string,
): Promise<string | null> {
  const reply = await rest(config, `GET /payment_method_nonces/${encodeURIComponent(nonce)}`);
  if (reply.kind === 'missing') return null;
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`nonce ${reply.codes}`);
  const details = childOf(childOf(reply.body, 'payment-method-nonce'), 'details');
  const payer = textOf(details, 'payer-info', 'payer-id') || textOf(details, 'payer-info', 'email');
  if (payer) return payer;
  const card = ['bin', 'last-four', 'expiration-month', 'expiration-year'];
  const values = card.map((field) => textOf(details, field));
  return values[0] && values[1] ? values.join(':') : null;
}

/** A different card after a challenge would escape the limits on card testing. */
export async function isChallengedCard(
  config: BraintreeConfig,
  { nonce, challengedNonce }: { nonce: string | null; challengedNonce?: string | null },
): Promise<boolean> {
  if (typeof challengedNonce !== 'string' || nonce === challengedNonce) return true;
  if (!nonce || !challengedNonce) return false;
  const [requested, verified] = await Promise.all([
    cardFingerprint(config, challengedNonce),
    cardFingerprint(config, nonce),
  ]);
  return requested !== null && requested === verified;
}

/** `nonce#bin`: browsers lack a saved card's first digits. @returns null for a saved wallet, without 3-D Secure */
export async function createVerificationNonce(
  config: BraintreeConfig,
  token: string,
): Promise<string | null> {
  const reply = await rest(config, `POST /payment_methods/${encodeURIComponent(token)}/nonces`, {});
  if (reply.kind !== 'done') throw new BraintreeAmbiguousError('no nonce of a saved method');
  const made = childOf(reply.body, 'payment-method-nonce');
  if (!supportsThreeDSecure(made)) return null;
  return `${textOf(made, 'nonce')}#${textOf(made, 'details', 'bin')}`;
}
