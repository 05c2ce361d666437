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
export function clientTokenFor(customer: string | undefined): string {
  const authorizationFingerprint = [
    `${fingerprint}_${crypto.randomUUID()}|merchant_id=${merchant.id}`,
    ...(customer ? [`customer_id=${customer}`] : []),
  ].join('&');
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
  fastlane: null,
  googlePay: {
    __typename: 'GooglePayConfiguration',
    displayName: 'Fake',
    supportedCardBrands: ['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS', 'DISCOVER'],
    environment: 'SANDBOX',
    googleAuthorization: 'fake_google_fingerprint',
    paypalClientId: null,
  },
  ideal: null,
  masterpass: null,
  openBanking: null,
  unionPay: null,
  usBankAccount: null,
  venmo: null,
  visaCheckout: null,
  braintreeApi: null,
  supportedFeatures: ['TOKENIZE_CREDIT_CARDS'],
};
