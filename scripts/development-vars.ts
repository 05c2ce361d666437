import { currencies, isBraintreeCurrency } from '../worker/catalog/rules/currencies.ts';
import { sampleTiles } from './sample-tiles.ts';

/** Variables and secrets for development; none of them gives access to anything. */
export const developmentVars = {
  ENVIRONMENT: 'development',
  FAKES_URL: '/fakes',
  CONFIG_CACHE_SECONDS: '2',
  // In development, `DB` has all accounts.
  ACCOUNT_DATABASES: '',
  TOKEN_SECRET: 'only for this machine: signs tokens that open nothing',
  GOOGLE_CLIENT_ID: 'fake.apps.googleusercontent.com',
  STRIPE_SECRET_KEY: 'sk_test_fake',
  STRIPE_WEBHOOK_SECRET: 'whsec_fake',
  ADMIN_TOKEN: 'only for this machine: operators of nothing',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
  STRIPE_ACCOUNT_NAME: 'Fake',
  ANALYTICS_PROVIDERS: '[{"name":"amplitude","url":"https://api.amplitude.com/","key":"fake"}]',
  RESEND_API_KEY: 're_fake',
  EMAIL_FROM: 'Funnel <hello@example.com>',
  TWILIO_ACCOUNT_SID: 'AC_fake',
  TWILIO_AUTH_TOKEN: 'twilio_fake',
  SMS_FROM: '+15005550006',
  SMS_COUNTRIES: JSON.stringify(
    Object.fromEntries(
      'AE AU BR CA DE EG ES FR GB IT JP KR MX NL PL PT RU SA TR UA US'
        .split(' ')
        .map((country) => [country, { cents: 8 }]),
    ),
  ),
  PHONE_HASH_SECRET: 'only for this machine: hides numbers of nobody',
  STRIPE_PRODUCT: 'prod_funnel',
  MAP_TILES: sampleTiles,
  APP_STORE_URL: 'https://example.com/sample-app-store',
  GOOGLE_PLAY_URL: 'https://example.com/sample-google-play',
  BRAINTREE_MERCHANT_ID: 'fake_merchant',
  BRAINTREE_PUBLIC_KEY: 'fake_public',
  BRAINTREE_PRIVATE_KEY: 'fake_private',
  BRAINTREE_ENVIRONMENT: 'sandbox',
  BRAINTREE_MERCHANT_ACCOUNTS: JSON.stringify(
    Object.fromEntries(
      currencies.filter(isBraintreeCurrency).map((name) => [name, `funnel_${name.toLowerCase()}`]),
    ),
  ),
};

/** An invented company, so that pages look complete. */
export const sampleCompany = {
  COMPANY_NAME: 'Sample Company',
  COMPANY_ADDRESS: '1 Sample Street, Sampleton',
  COMPANY_REPRESENTATIVE: 'Sam Sample',
  COMPANY_REGISTER: 'Sample Register 12345',
  COMPANY_VAT: 'Sample VAT 12345',
  SUPPORT_EMAIL: 'support@example.com',
  GOVERNING_LAW: 'Sampleland',
};

/** With these the fakes of the ad networks receive purchases too. */
export const networkVars = {
  META_PIXEL_ID: '1000',
  META_TOKEN: 'meta_fake',
  TIKTOK_PIXEL_ID: 'TIKTOKFAKE',
  TIKTOK_TOKEN: 'tiktok_fake',
  GOOGLE_ADS_ID: 'AW-1000',
  GOOGLE_ADS_LABEL: 'label_fake',
  GOOGLE_ANALYTICS_ID: 'G-FAKE',
  GOOGLE_ANALYTICS_SECRET: 'google_fake',
  CLARITY_ID: 'heatmap_fake',
  APPSFLYER_KEY: 'appsflyer_fake',
  APPSFLYER_ONELINK: 'https://fake.onelink.me/app',
};
