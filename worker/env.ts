import type { D1Database, KVNamespace, RateLimit } from '@cloudflare/workers-types';

/**
 * Bindings, variables (wrangler.toml) and secrets (`wrangler secret put`) of the Worker. `index.ts`
 * adds the Durable Objects and `queues.ts` the queues, with the types of their rooms.
 */
export interface Env {
  /** KV: configuration documents, previews and texts. */
  FUNNEL: KVNamespace;
  /** D1: accounts, events, and the copy of purchases. */
  DB: D1Database;
  /** Platform rate limits by client IP: every POST, calls that open accounts, browser reports. */
  POST_RATE_LIMIT?: RateLimit;
  SIGNUP_RATE_LIMIT?: RateLimit;
  REPORT_RATE_LIMIT?: RateLimit;
  /** Files of `dist/client`. */
  ASSETS: { fetch(request: Request): Promise<Response> };

  /** `production` or anything else. */
  ENVIRONMENT: string;
  /** One of the four themes. */
  THEME?: string;
  /** Country of a visitor whom the edge cannot locate. */
  DEFAULT_COUNTRY?: string;
  /** Seconds after which an isolate reads the configuration again. */
  CONFIG_CACHE_SECONDS?: string;
  /** URL of an outside content service, used instead of KV. */
  CONTENT_URL?: string;
  /** URL of an outside product API; `accounts/product-api-proxy.ts` lists the calls it answers. */
  PRODUCT_API_URL?: string;
  /** Base URL of the vendors' stand-ins; set by `npm start` only. */
  FAKES_URL?: string;
  /** Google's OAuth client id; without it production offers no Google sign-in. */
  GOOGLE_CLIENT_ID?: string;
  /** URLs of legal and support pages elsewhere; the built-in pages where unset. */
  TERMS_URL?: string;
  PRIVACY_URL?: string;
  REFUNDS_URL?: string;
  SUPPORT_URL?: string;
  COOKIES_URL?: string;
  IMPRINT_URL?: string;
  /** The company, as the legal pages print it. */
  COMPANY_NAME?: string;
  COMPANY_ADDRESS?: string;
  COMPANY_REPRESENTATIVE?: string;
  /** Such as `Commercial register Berlin, HRB 1234`. */
  COMPANY_REGISTER?: string;
  COMPANY_VAT?: string;
  /** Such as `Germany`. */
  GOVERNING_LAW?: string;
  SUPPORT_EMAIL?: string;
  /** URLs of the app in the stores. */
  APP_STORE_URL?: string;
  GOOGLE_PLAY_URL?: string;
  /** App domains that an ad's `appDomain` may name, comma-separated; others are ignored. */
  APP_DOMAINS?: string;
  /** The app's URL scheme, without `://`. */
  APP_SCHEME?: string;
  /** iPhone apps that open our links, `TEAM.bundle`, comma-separated. */
  APPLE_APP_IDS?: string;
  /** The Android app that opens our links, and its SHA-256 fingerprints, comma-separated. */
  ANDROID_PACKAGE?: string;
  ANDROID_FINGERPRINTS?: string;
  /** Payment provider of screens that name none: `stripe` or `braintree`. */
  PAYMENT_GATEWAY?: string;
  /** `1` asks for 3-D Secure whenever the card supports it; `0` (default) leaves it to the bank. */
  REQUEST_THREE_D_SECURE?: string;
  /** `true` states that list prices were really charged, so production may show them struck out. */
  REFERENCE_PRICES?: string;
  /** `true` or `braintree` offers PayPal where Braintree takes the payments. */
  PAYPAL?: string;
  /** Google's merchant id; without it Braintree offers no Google Pay in production. */
  GOOGLE_PAY_MERCHANT_ID?: string;
  /** Country of the acquiring bank, for Google Pay; `US` by default. */
  MERCHANT_COUNTRY?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_ACCOUNT_NAME?: string;
  /** The Stripe product that prices belong to. */
  STRIPE_PRODUCT?: string;
  BRAINTREE_MERCHANT_ID?: string;
  BRAINTREE_PUBLIC_KEY?: string;
  /** `sandbox` or `production`. */
  BRAINTREE_ENVIRONMENT?: string;
  /** JSON: currency → Braintree merchant account. */
  BRAINTREE_MERCHANT_ACCOUNTS?: string;
  /** JSON: plan id → Braintree plan, where the two differ. */
  BRAINTREE_PLANS?: string;
  /** Cards that are verified: `always`, `europe` (default), or `asked` by the bank. */
  BRAINTREE_THREE_D_SECURE?: string;
  /** Secret. */
  BRAINTREE_PRIVATE_KEY?: string;
  /** JSON: plan id → Stripe price of its renewals; inline prices where unset. */
  STRIPE_PRICES?: string;
  /** JSON: plan id → Stripe trial offer of its intro; a trial with an invoice item where unset. */
  STRIPE_TRIAL_OFFERS?: string;
  /** Secret. */
  STRIPE_SECRET_KEY?: string;
  /** Secret: Resend's API key; without it e-mails wait in their queue. */
  RESEND_API_KEY?: string;
  /** Sender of e-mails, `Name <name@example.com>`. */
  EMAIL_FROM?: string;
  /** Origin of links in e-mails; the request's origin where unset. */
  SITE_URL?: string;
  /**
   * JSON: countries that SMS may go to, `{"DE": {"cents": 8, "from": "+49…"}}`. A country that is
   * missing is off; `from` is the country's own sender where it needs one.
   */
  SMS_COUNTRIES?: string;
  /** The number that SMS are sent from. */
  SMS_FROM?: string;
  /** Daily SMS limits, JSON with some of the keys in `invitations/rules/sms-limits.ts`. */
  SMS_LIMITS?: string;
  TWILIO_ACCOUNT_SID?: string;
  /** Secret: also verifies Twilio's webhooks. */
  TWILIO_AUTH_TOKEN?: string;
  /** Secret, 32 characters or more: hashes phone numbers. A new one forgets who opted out. */
  PHONE_HASH_SECRET?: string;
  /** Secret: verifies Stripe's webhooks; without it every one is refused. */
  STRIPE_WEBHOOK_SECRET?: string;
  /** Secret: analytics providers, JSON: `[{"name", "url", "key", "bearer"}]`. */
  ANALYTICS_PROVIDERS?: string;
  /**
   * Ad and analytics tags: Meta pixel, TikTok pixel, Google Ads (`AW-…`) and its conversion label,
   * Google Analytics (`G-…`), Microsoft Clarity, AppsFlyer web key. Each script loads on ordinary
   * pages only, for visitors who allow ads.
   */
  META_PIXEL_ID?: string;
  TIKTOK_PIXEL_ID?: string;
  GOOGLE_ADS_ID?: string;
  GOOGLE_ADS_LABEL?: string;
  GOOGLE_ANALYTICS_ID?: string;
  CLARITY_ID?: string;
  APPSFLYER_KEY?: string;
  /** AppsFlyer OneLink to the stores, `https://….onelink.me/…`, which tells the app about the ad. */
  APPSFLYER_ONELINK?: string;
  /** Secrets: with them the Worker also reports purchases to these networks. */
  META_TOKEN?: string;
  TIKTOK_TOKEN?: string;
  GOOGLE_ANALYTICS_SECRET?: string;
  /** Secret: the operators' bearer token; without it `/admin` is off. */
  ADMIN_TOKEN?: string;
  /** Secret: Google geocoder key; without it the built-in list of cities answers. */
  GOOGLE_GEOCODER_KEY?: string;
  /** Secret, 32 characters or more: signs access tokens and codes. */
  TOKEN_SECRET: string;
  /** Secret: the previous `TOKEN_SECRET`, which verifies and never signs. */
  TOKEN_SECRET_PREVIOUS?: string;
}

/** Type argument of Hono's `Context`. `app.ts` declares what `c.var` holds. */
export interface App {
  Bindings: Env;
}

export function isProduction(env: Env): boolean {
  return env.ENVIRONMENT === 'production';
}
