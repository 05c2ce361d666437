import type {
  D1Database,
  KVNamespace,
  R2Bucket,
  RateLimit,
  WorkerVersionMetadata,
} from '@cloudflare/workers-types';

const synthetic: unique symbol = Symbol('synthetic visitor');

/** `variables.md` explains each. `index.ts` adds the Durable Objects and `queues.ts` the queues. */
export interface Env {
  FUNNEL: KVNamespace;
  DB: D1Database;
  ANALYTICS: D1Database;
  EVENTS: R2Bucket;
  TILES: R2Bucket;
  POST_RATE_LIMIT?: RateLimit;
  SIGNUP_RATE_LIMIT?: RateLimit;
  REPORT_RATE_LIMIT?: RateLimit;
  READ_RATE_LIMIT?: RateLimit;
  VISITOR_EVENT_RATE_LIMIT?: RateLimit;
  EVENT_RATE_LIMIT?: RateLimit;
  ASSETS: { fetch(request: Request): Promise<Response> };
  CF_VERSION_METADATA?: WorkerVersionMetadata;
  /** Set for requests of the synthetic visitor; an outside request cannot set it. */
  [synthetic]?: true;

  ENVIRONMENT: string;
  ACCOUNT_DATABASES?: string;
  THEME?: string;
  DEFAULT_COUNTRY?: string;
  CONFIG_CACHE_SECONDS?: string;
  CONTENT_URL?: string;
  PRODUCT_API_URL?: string;
  FAKES_URL?: string;
  GOOGLE_CLIENT_ID?: string;
  TERMS_URL?: string;
  PRIVACY_URL?: string;
  REFUNDS_URL?: string;
  SUPPORT_URL?: string;
  COOKIES_URL?: string;
  IMPRINT_URL?: string;
  COMPANY_NAME?: string;
  COMPANY_ADDRESS?: string;
  COMPANY_REPRESENTATIVE?: string;
  COMPANY_REGISTER?: string;
  COMPANY_VAT?: string;
  GOVERNING_LAW?: string;
  SUPPORT_EMAIL?: string;
  APP_STORE_URL?: string;
  MAP_TILES?: string;
  GOOGLE_MAPS_KEY?: string;
  GOOGLE_PLAY_URL?: string;
  APP_DOMAINS?: string;
  APP_SCHEME?: string;
  APPLE_APP_IDS?: string;
  ANDROID_PACKAGE?: string;
  ANDROID_FINGERPRINTS?: string;
  REQUEST_THREE_D_SECURE?: string;
  REFERENCE_PRICES?: string;
  PAYPAL?: string;
  GOOGLE_PAY_MERCHANT_ID?: string;
  MERCHANT_COUNTRY?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_ACCOUNT_NAME?: string;
  STRIPE_PRODUCT?: string;
  BRAINTREE_MERCHANT_ID?: string;
  BRAINTREE_PUBLIC_KEY?: string;
  BRAINTREE_ENVIRONMENT?: string;
  BRAINTREE_MERCHANT_ACCOUNTS?: string;
  BRAINTREE_PLANS?: string;
  BRAINTREE_THREE_D_SECURE?: string;
  BRAINTREE_PRIVATE_KEY?: string;
  BRAINTREE_TAX_RATES?: string;
  STRIPE_TAX?: string;
  STRIPE_PRICES?: string;
  STRIPE_TRIAL_OFFERS?: string;
  STRIPE_SECRET_KEY?: string;
  RESEND_API_KEY?: string;
  EMAIL_FROM?: string;
  SITE_URL?: string;
  SMS_COUNTRIES?: string;
  SMS_FROM?: string;
  SMS_LIMITS?: string;
  TWILIO_ACCOUNT_SID?: string;
  TWILIO_AUTH_TOKEN?: string;
  PHONE_HASH_SECRET?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  ANALYTICS_PROVIDERS?: string;
  META_PIXEL_ID?: string;
  TIKTOK_PIXEL_ID?: string;
  GOOGLE_ADS_ID?: string;
  GOOGLE_ADS_LABEL?: string;
  GOOGLE_ANALYTICS_ID?: string;
  CLARITY_ID?: string;
  APPSFLYER_KEY?: string;
  APPSFLYER_ONELINK?: string;
  META_TOKEN?: string;
  TIKTOK_TOKEN?: string;
  GOOGLE_ANALYTICS_SECRET?: string;
  ADMIN_TOKEN?: string;
  ENTITLEMENT_WEBHOOK_URL?: string;
  ENTITLEMENT_WEBHOOK_SECRETS?: string;
  SERVER_KEY_HASHES?: string;
  ALARM_WEBHOOK_URL?: string;
  ALARM_EMAIL?: string;
  ALARM_QUIET_HOURS?: string;
  STATUS_PAGE?: string;
  ACCESS_TEAM?: string;
  ACCESS_AUDIENCE?: string;
  CONSOLE_ROLES?: string;
  GOOGLE_GEOCODER_KEY?: string;
  TOKEN_SECRET: string;
  TOKEN_SECRET_PREVIOUS?: string;
}

/** Type argument of Hono's `Context`. `app.ts` declares what `c.var` holds. */
export interface App {
  Bindings: Env;
}

export function isProduction(env: Partial<Pick<Env, 'ENVIRONMENT'>>): boolean {
  return env.ENVIRONMENT === 'production';
}

export const asSynthetic = (env: Env): Env => ({ ...env, [synthetic]: true });

export const isSynthetic = (env: Env): boolean => env[synthetic] === true;
