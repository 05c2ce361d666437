import type {
  D1Database,
  DurableObjectNamespace,
  KVNamespace,
  Queue,
  RateLimit,
} from '@cloudflare/workers-types';
import type { KnownAccount } from './accounts/account-table.ts';
import type { ConversionMessage } from './analytics/conversion-consumer.ts';
import type { EventMessage } from './analytics/event-consumer.ts';
import type { Content } from './content/content-cache.ts';
import type { EmailMessage } from './email/enqueue-email.ts';
import type { Assignment } from './experiments/assignment.ts';
import type { Exposure } from './experiments/exposure-table.ts';
import type { Preview } from './experiments/preview-store.ts';
import type { Invitee } from './invitations/invitee-object.ts';
import type { SmsMessage } from './invitations/sms/queue-due-sms.ts';
import type { SmsLimiter } from './invitations/sms/sms-limiter-object.ts';
import type { Log } from './log.ts';
import type { CardLimiter } from './payments/fraud/card-limiter-object.ts';
import type { Purchases } from './payments/purchases-object.ts';
import type { GatewayEvent } from './payments/rules/gateway-event.ts';
import type { Visitor } from './visitor/visitor.ts';

/** Bindings, variables (wrangler.toml) and secrets (`wrangler secret put`) of the Worker. */
export interface Env {
  /** KV: configuration documents that marketers write. */
  FUNNEL: KVNamespace;
  /** D1: accounts and the projection of purchases. */
  DB: D1Database;
  /** One object an account; the only writer of money. */
  PURCHASES: DurableObjectNamespace<Purchases>;
  /** One object a person who may be located; the only keeper of their answers and places. */
  INVITATIONS: DurableObjectNamespace<Invitee>;
  /** The one object that counts what may be sent. */
  SMS_LIMITER: DurableObjectNamespace<SmsLimiter>;
  /** The one object that counts tries of cards. */
  CARD_LIMITER: DurableObjectNamespace<CardLimiter>;
  /** Rate limits of the platform, for each address: every post, those that open accounts, and reports. */
  POST_RATE_LIMIT?: RateLimit;
  SIGNUP_RATE_LIMIT?: RateLimit;
  REPORT_RATE_LIMIT?: RateLimit;
  /** Queue: who saw which arm; counted in batches by `queues.ts`. */
  EXPOSURE_QUEUE: Queue<Exposure>;
  /** Queue: what visitors did; `event-sinks.ts` tells our table and the analytics providers. */
  EVENT_QUEUE: Queue<EventMessage>;
  /** Queue: purchases that ad networks may know of; `conversions.ts` tells one network a message. */
  CONVERSION_QUEUE: Queue<ConversionMessage>;
  /** Queue: mails to send; `queues.ts` hands them to the vendor. */
  EMAIL_QUEUE: Queue<EmailMessage>;
  /** Queue: what gateways told us of; `gateway-news.ts` reads anew whom it is about. */
  WEBHOOK_QUEUE: Queue<GatewayEvent>;
  /** Queue: texts to send; `bring-texts.ts` has the person's object send them. */
  SMS_QUEUE: Queue<SmsMessage>;
  /** Files of `dist/client`. */
  ASSETS: { fetch(request: Request): Promise<Response> };

  /** Variable: `production` or anything else. */
  ENVIRONMENT: string;
  /** Variable: theme, one of the four. */
  THEME?: string;
  /** Variable: country of a visitor whom the edge cannot place. */
  DEFAULT_COUNTRY?: string;
  /** Variable: seconds after which a warm isolate reads the configuration again. */
  CONFIG_SECONDS?: string;
  /** Variable: address of an outside content service, instead of KV; see `storage/content.ts`. */
  CONTENT_URL?: string;
  /** Variable: address of an outside product API that answers the calls of `api/upstream.ts`. */
  PRODUCT_API_URL?: string;
  /** Variable: where the start command serves the vendors' stand-ins; empty everywhere else. */
  VENDORS?: string;
  /** Variable: Google's OAuth client id; without it production offers no sign-in by Google. */
  GOOGLE_CLIENT_ID?: string;
  /** Variables: addresses of legal and support pages elsewhere; ours where they are left out. */
  TERMS_URL?: string;
  PRIVACY_URL?: string;
  REFUNDS_URL?: string;
  SUPPORT_URL?: string;
  COOKIES_URL?: string;
  IMPRINT_URL?: string;
  /** Variables: who runs the funnel, as our legal pages say it. */
  COMPANY_NAME?: string;
  COMPANY_ADDRESS?: string;
  COMPANY_REPRESENTATIVE?: string;
  /** Such as `Commercial register Berlin, HRB 1234`. */
  COMPANY_REGISTER?: string;
  COMPANY_VAT?: string;
  /** Such as `Germany`. */
  GOVERNING_LAW?: string;
  /** Variable: where customers write to. */
  SUPPORT_EMAIL?: string;
  /** Variables: addresses of the app in the stores. */
  APP_STORE_URL?: string;
  GOOGLE_PLAY_URL?: string;
  /** Variable: domains of apps that an ad's `appDomain` may name, by comma; any other is ignored. */
  APP_DOMAINS?: string;
  /** Variable: the app's own address scheme, without `://`; pages open the app by it. */
  APP_SCHEME?: string;
  /** Variable: ids of the iPhone apps that open our links, `TEAM.bundle`, by comma. */
  APPLE_APP_IDS?: string;
  /** Variables: the Android app that opens our links, and its SHA-256 fingerprints, by comma. */
  ANDROID_PACKAGE?: string;
  ANDROID_FINGERPRINTS?: string;
  /** Variable: who takes the payments of screens that insist on nobody, `stripe` or `braintree`. */
  PAYMENT_GATEWAY?: string;
  /** Variable: `1` verifies every payer whose card can be, by 3-D Secure; `0` asks the bank (default). */
  REQUEST_THREE_D_SECURE?: string;
  /** Variable: `true` says that list prices were really charged, so that production may strike them. */
  REFERENCE_PRICES?: string;
  /** Variable: `true` or `braintree` offers PayPal where Braintree takes the payments. */
  PAYPAL?: string;
  /** Variable: Google's merchant id, without which Braintree offers no Google Pay in production. */
  GOOGLE_PAY_MERCHANT_ID?: string;
  /** Variable: country of the bank that takes the payments, as Google Pay is told; `US` by default. */
  MERCHANT_COUNTRY?: string;
  /** Variable: Stripe's publishable key, account name, and the product that prices belong to. */
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_ACCOUNT_NAME?: string;
  STRIPE_PRODUCT?: string;
  /** Variables: Braintree's merchant id, public key, and `sandbox` or `production`. */
  BRAINTREE_MERCHANT_ID?: string;
  BRAINTREE_PUBLIC_KEY?: string;
  BRAINTREE_ENVIRONMENT?: string;
  /** Variable: JSON, currency → Braintree's merchant account. */
  BRAINTREE_MERCHANT_ACCOUNTS?: string;
  /** Variable: JSON, plan id → Braintree's plan, where the two differ. */
  BRAINTREE_PLANS?: string;
  /** Variable: cards to verify unless all are: `always`, `europe` (default), `asked` by the bank. */
  BRAINTREE_THREE_D_SECURE?: string;
  /** Secret: Braintree's private key. */
  BRAINTREE_PRIVATE_KEY?: string;
  /** Variable: Stripe's price of each plan's renewals, JSON by plan id; inline prices without it. */
  STRIPE_PRICES?: string;
  /** Variable: Stripe's trial offer of each intro, JSON by plan id; without it a trial with an item. */
  STRIPE_TRIAL_OFFERS?: string;
  /** Secret: Stripe's secret key. */
  STRIPE_SECRET_KEY?: string;
  /** Secret: Resend's API key. Without it mails wait in their queue. */
  MAIL_KEY?: string;
  /** Variable: the sender of our mails, `Name <name@example.com>`. */
  MAIL_FROM?: string;
  /** Variable: our address as mails have it; the asking request's origin when it is not set. */
  SITE_URL?: string;
  /**
   * Variable: countries that texts go to, JSON: `{"DE": {"cents": 8, "from": "+49…"}}`. One that is
   * not here is off; `from` is its own sender where it needs one.
   */
  TEXT_COUNTRIES?: string;
  /** Variable: the number of ours that texts come from. */
  TEXT_FROM?: string;
  /** Variable: how many a day, JSON of some of `Limits` in `funnel/text-limits.ts`. */
  TEXT_LIMITS?: string;
  /** Variable and secret: Twilio's account, and its token, which signs what it tells us, too. */
  TWILIO_ACCOUNT_SID?: string;
  TWILIO_AUTH_TOKEN?: string;
  /** Secret: 32 characters or more that make hashes of numbers. A new one forgets who said STOP. */
  NUMBER_SECRET?: string;
  /** Secret: with which Stripe signs its webhooks; without it none is taken. */
  STRIPE_WEBHOOK_SECRET?: string;
  /** Secret: who is told of events, JSON: `[{"name", "url", "key", "bearer"}]`. */
  ANALYTICS_PROVIDERS?: string;
  /**
   * Variables: the social network's pixel, the short-video network's pixel, the ads tag (`AW-…`) with
   * its conversion's label, Google Analytics (`G-…`), Microsoft Clarity's project (heatmap) and
   * AppsFlyer's web key. Each loads its script, on ordinary pages, for visitors who allow ads.
   */
  META_PIXEL_ID?: string;
  TIKTOK_PIXEL_ID?: string;
  GOOGLE_ADS_ID?: string;
  GOOGLE_ADS_LABEL?: string;
  GOOGLE_ANALYTICS_ID?: string;
  CLARITY_ID?: string;
  APPSFLYER_KEY?: string;
  /** Variable: AppsFlyer's OneLink to the stores, `https://….onelink.me/…`, so that the app knows the ad. */
  APPSFLYER_ONELINK?: string;
  /** Secrets: with them the Worker itself tells these networks of purchases as well. */
  META_TOKEN?: string;
  TIKTOK_TOKEN?: string;
  GOOGLE_ANALYTICS_SECRET?: string;
  /** Secret: what operators show; without it there is no `/admin`. */
  ADMIN_TOKEN?: string;
  /** Secret: key of Google's geocoder; without it the built-in list of cities answers. */
  GOOGLE_GEOCODER_KEY?: string;
  /** Secret: signs access tokens and codes (at least 32 characters). */
  TOKEN_SECRET: string;
  /** Secret: the one before, which still verifies and never signs; see `worker/README.md`. */
  TOKEN_SECRET_PREVIOUS?: string;
}

/** What Hono's handlers find in `c.env` and `c.var`. */
export interface App {
  Bindings: Env;
  Variables: {
    visitor: Visitor;
    /** Set in a browser that a marketer's link was opened in; empty when KV was too slow to say more. */
    preview?: Partial<Preview>;
    assignment: Assignment;
    /** Texts, claims and reviews from outside, as they are held; the first visitor's may take 150 ms. */
    content?: Promise<Content>;
    log: Log;
    request: string;
    /** Id of the account that the bearer token names. */
    account: string;
    /** That account, and whether it is the app that asks. */
    session: KnownAccount & { app: boolean };
    /** What was shown, for the log. */
    page?: { screen: string; cache: 'hit' | 'miss' };
  };
}

/** Whether test-only features must stay off. */
export function isProduction(env: Env): boolean {
  return env.ENVIRONMENT === 'production';
}
