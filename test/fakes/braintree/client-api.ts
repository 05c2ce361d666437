import { authenticationOf } from './cards.ts';
import {
  type Lookup,
  type Nonce,
  NotFound,
  newId,
  type Sandbox,
  type ThreeDSecure,
} from './state.ts';

import { answerWallet, consumeNonce, makeNonce, nonceNamed } from './vault.ts';

/** Same as in the development variables. */
export const merchant = {
  id: 'fake_merchant',
  publicKey: 'fake_public',
  privateKey: 'fake_private',
} as const;
const api = `https://api.sandbox.braintreegateway.com:443/merchants/${merchant.id}/client_api`;

/** Prefix of every browser authorization. */
export const fingerprint = 'fake_fingerprint';

/** braintree-web decodes this. */
export function clientTokenFor(): string {
  const authorizationFingerprint = `${fingerprint}_${crypto.randomUUID()}|merchant_id=${merchant.id}`;
  const token = {
    version: 2,
    authorizationFingerprint,
    configUrl: `${api}/v1/configuration`,
    graphQL: {
      url: 'https://payments.sandbox.braintree-api.com/graphql',
      date: '2018-05-08',
      features: ['tokenize_credit_cards'],
    },
    clientApiUrl: api,
    environment: 'sandbox',
    merchantId: merchant.id,
    assetsUrl: 'https://assets.braintreegateway.com',
  };
  return btoa(JSON.stringify(token));
}

const others =
  'fastlane ideal masterpass openBanking unionPay usBankAccount venmo visaCheckout braintreeApi';
const notOffered = Object.fromEntries(others.split(' ').map((name) => [name, null]));

/** The first request of braintree-web. */
export const configuration = {
  __typename: 'ClientConfiguration',
  analyticsUrl: `https://origin-analytics-sand.sandbox.braintree-api.com/${merchant.id}`,
  environment: 'SANDBOX',
  merchantId: merchant.id,
  assetsUrl: 'https://assets.braintreegateway.com',
  clientApiUrl: api,
  creditCard: {
    __typename: 'CreditCardConfiguration',
    supportedCardBrands: ['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS', 'DISCOVER'],
    challenges: ['CVV'],
    threeDSecureEnabled: true,
    threeDSecure: {
      __typename: 'ThreeDSecureConfiguration',
      cardinalAuthenticationJWT: 'fake.cardinal.jwt',
      cardinalSongbirdUrl:
        'https://cas.static.client.cardinaltrusted.com/songbird/v2.0.0/songbird.js',
      cardinalSongbirdIdentityHash: null,
    },
  },
  paypal: {
    __typename: 'PayPalConfiguration',
    displayName: 'Fake',
    clientId: 'fake_paypal_client',
    assetsUrl: 'https://checkout.paypal.com',
    environment: 'OFFLINE',
    environmentNoNetwork: false,
    unvettedMerchant: false,
    braintreeClientId: 'fake_braintree_client',
    billingAgreementsEnabled: true,
    merchantAccountId: 'funnel_usd',
    currencyCode: 'USD',
    payeeEmail: null,
  },
  applePayWeb: {
    __typename: 'ApplePayWebConfiguration',
    countryCode: 'US',
    currencyCode: 'USD',
    merchantIdentifier: 'merchant.fake',
    supportedCardBrands: ['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS', 'DISCOVER'],
  },
  googlePay: {
    __typename: 'GooglePayConfiguration',
    displayName: 'Fake',
    supportedCardBrands: ['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS', 'DISCOVER'],
    environment: 'SANDBOX',
    googleAuthorization: 'fake_google_fingerprint',
    paypalClientId: null,
  },
  ...notOffered,
  supportedFeatures: ['TOKENIZE_CREDIT_CARDS'],
};

/** The challenge page of every test card's bank; any https host may be one. */
const acsUrl = 'https://acs.bank.example/challenge';
const paymentMethod = ({
  nonce,
  card,
  threeDSecure,
}: Pick<Nonce, 'nonce' | 'card' | 'threeDSecure'>) => ({
  nonce,
  type: 'CreditCard',
  details: { bin: card.bin, lastFour: card.last4 },
  threeDSecureInfo: threeDSecure,
});

/** Consumes a nonce and returns the verified one. */
function verified(sandbox: Sandbox, name: string, threeDSecure: ThreeDSecure): Nonce {
  const { card, token } = consumeNonce(sandbox, name);
  return makeNonce(sandbox, card, { threeDSecure, token });
}

/** POST payment_methods/:nonce/three_d_secure/lookup */
function lookUp(sandbox: Sandbox, name: string) {
  const nonce = nonceNamed(sandbox, name);
  if (nonce.consumed) throw new NotFound(name);
  const { challenge, ...secure } = authenticationOf(nonce.card);
  const threeDSecureVersion = '2.2.0';
  if (!challenge) {
    const newNonce = verified(sandbox, name, secure);
    return {
      paymentMethod: paymentMethod(newNonce),
      threeDSecureInfo: secure,
      lookup: { acsUrl: null, threeDSecureVersion },
    };
  }
  const transactionId = newId(20);
  sandbox.state.lookups[transactionId] = { nonce: name, outcome: 'pending' };
  const open = {
    status: 'challenge_required',
    liabilityShifted: false,
    liabilityShiftPossible: true,
  };
  return {
    paymentMethod: paymentMethod({ ...nonce, threeDSecure: open }),
    threeDSecureInfo: open,
    lookup: {
      acsUrl,
      pareq: transactionId,
      md: transactionId,
      termUrl: 'https://api.sandbox.braintreegateway.com/term',
      threeDSecureVersion,
      transactionId,
    },
  };
}

/** POST payment_methods/:nonce/three_d_secure/authenticate_from_jwt */
function authenticate(sandbox: Sandbox, name: string, jwt: string) {
  const lookup: Lookup | undefined = sandbox.state.lookups[jwt];
  if (lookup?.nonce !== name || lookup.outcome === 'pending') throw new NotFound(jwt);
  const { challenge: _, ...ends } = authenticationOf(nonceNamed(sandbox, name).card);
  const failed = {
    status: 'authenticate_failed',
    liabilityShifted: false,
    liabilityShiftPossible: true,
  };
  const secure = lookup.outcome === 'authenticated' ? ends : failed;
  return {
    paymentMethod: paymentMethod(verified(sandbox, name, secure)),
    threeDSecureInfo: secure,
    success: secure.liabilityShifted,
  };
}

/** The calls under `client_api/v1`; undefined for any other. */
export function answerClient(
  sandbox: Sandbox,
  path: string,
  body: Record<string, unknown>,
): object | undefined {
  const [, nonce = '', step] = /^payment_methods\/([^/]+)\/three_d_secure\/(\w+)$/.exec(path) ?? [];
  if (step === 'lookup') return lookUp(sandbox, decodeURIComponent(nonce));
  if (step === 'authenticate_from_jwt') {
    return authenticate(sandbox, decodeURIComponent(nonce), String(body.jwt));
  }
  return answerWallet(sandbox, path, body);
}
