/** Variables and secrets with which the funnel runs on one machine; none of them opens anything. */
export const developmentVars = {
  ENVIRONMENT: 'development',
  VENDORS: '/fakes',
  CONFIG_SECONDS: '2',
  TOKEN_SECRET: 'only for this machine: signs tokens that open nothing',
  GOOGLE_CLIENT_ID: 'fake.apps.googleusercontent.com',
  STRIPE_SECRET_KEY: 'sk_test_fake',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
  STRIPE_ACCOUNT_NAME: 'Fake',
  MAIL_KEY: 're_fake',
  MAIL_FROM: 'Funnel <hello@example.com>',
  STRIPE_PRODUCT: 'prod_funnel',
  BRAINTREE_MERCHANT_ID: 'fake_merchant',
  BRAINTREE_PUBLIC_KEY: 'fake_public',
  BRAINTREE_PRIVATE_KEY: 'fake_private',
  BRAINTREE_ENVIRONMENT: 'sandbox',
  BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd","EUR":"funnel_eur"}',
};
