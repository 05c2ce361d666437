import type { IslandText, Text } from '../locales/index.ts';
import type { Market } from './catalog/markets.ts';
import type { PlanView, Renewals } from './catalog/plans.ts';
import type { ScreenId } from './experiments/rules/flows.ts';
import type { GatewayName } from './payments/rules/attempt.ts';

export type Theme = 'geozilla' | 'family-locator' | 'found' | 'brainbloom';

/**
 * Ordinary screens share one document; a screen that takes payment has its own. So has a private one,
 * which keeps nothing of who reads it, and tells nobody.
 */
export type PageKind = 'ordinary' | 'payment' | 'private';

/** The legal and support pages. */
export type ArticleId = 'terms' | 'privacy' | 'refunds' | 'support' | 'cookies' | 'imprint';

/** The words of such a page. Links stand as `[label](name)`, facts of the company as `{{name}}`. */
export interface Article {
  title: string;
  lead: string;
  sections: readonly { title: string; text: readonly string[]; points?: readonly string[] }[];
  /** When it was last changed, ISO 8601. */
  changed: string;
  /** The language it is written in, BCP 47. */
  language: string;
}

/** What is said of us, in the language of the page. */
export interface Testimonial {
  text: string;
  /** Where it can be read. */
  source: string;
  name?: string | undefined;
  img?: string | undefined;
}

/** The scripts of ad networks that a deployment has; none of this is about one visitor. */
export interface PixelSettings {
  /** As `Page.vendors`. */
  vendors: string;
  /** What ends the names of events outside production. */
  suffix: string;
  meta?: string;
  tiktok?: string;
  google?: { ads?: string; label?: string; analytics?: string };
  /** Microsoft Clarity's project. */
  heatmap?: string;
  /** AppsFlyer's web key. */
  appsflyer?: string;
  /** AppsFlyer's link to the app in its stores. */
  onelink?: string;
}

/** All that a page's HTML may depend on; nothing here is about one visitor. */
export interface Page {
  screen:
    | ScreenId
    | ArticleId
    | 'fallback'
    | 'crash'
    | 'refused'
    | 'open_app'
    | 'mail_link'
    | 'manage'
    | 'cancel'
    | 'guide'
    | 'invited';
  kind: PageKind;
  /** This page's own path, `/one_pager`. */
  path: string;
  flow: string;
  /** Variant key of the split test, `intro/7d`. */
  arm: string;
  landingType: string;
  /** BCP 47. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** What the language calls itself. */
  languageName: string;
  /** Our font and its script; null for the system's own, as on the first page of a visit. */
  fonts: { family: 'Inter' | 'Cairo'; script: string } | null;
  /** All that may be chosen, each by its own name. */
  languages: readonly { code: string; name: string }[];
  market: Market;
  /** Which words stand beside the button, to be sent back with a purchase; null where nothing is sold. */
  terms: string | null;
  theme: Theme;
  /** Path of the next screen; null on the last. */
  next: string | null;
  nextKind: PageKind;
  /** Whether Back leaves: on the flow's first screen, and on pages outside the funnel. */
  entry: boolean;
  /** Path of the flow's first screen. */
  first: string;
  /** Path of the flow's sign-up screen. */
  signup: string;
  /** Path of the flow's checkout. */
  checkout: string;
  /** Tokens that the edge replaces by the visitor's country; never compute on them. */
  country: { code: string; name: string; calling: string; example: string };
  /** Tokens of the country's help line for people under pressure, likewise; empty where none is known. */
  help: { name: string; number: string; dial: string };
  /** Tokens of the first renewals' days, likewise. */
  renewals: Renewals;
  plans: PlanView[];
  /** The plans once the offer's time is over, or an intro was refused; empty where neither happens. */
  plansAfterOffer: PlanView[];
  /** Whether the offer has an end. */
  offerExpires: boolean;
  upsell: PlanView;
  guide: PlanView;
  /** Who takes the payments of screens that insist on nobody, and whether Braintree can. */
  gateway: GatewayName;
  braintree: boolean;
  /** Whether Braintree offers PayPal. */
  paypal: boolean;
  /** Google's id of the merchant, and the country of the bank that takes the payment. */
  googlePay: { id: string; country: string };
  /** Whether any coupon is configured. */
  coupons: boolean;
  /** What customers said, and what has to be true, each with its source. */
  reviews: readonly Testimonial[];
  claims: readonly Testimonial[];
  /** The arm that a marketer's preview shows; null for everyone else. */
  preview: string | null;
  /** Outside production. */
  test: boolean;
  /** Prefix of the vendors' scripts: empty, or where the start command serves their stand-ins. */
  vendors: string;
  /** The scripts of ad networks; null where there are none, as outside the funnel's ordinary screens. */
  pixels: PixelSettings | null;
  /** Hosts whose scripts the page may load besides our own, with spaces between; `*.` begins a family. */
  scripts: string;
  /** Google's client id; empty when not set. */
  google: string;
  /** The card provider's public key and account name. */
  stripe: { key: string; name: string };
  /** Addresses of the app in the stores, and its own scheme; empty when not set. */
  stores: { apple: string; google: string; scheme: string };
  legal: Record<ArticleId | 'cancel' | 'manage', string>;
}

/** What every screen gets. */
export interface ScreenProps {
  page: Page;
  t: Text;
  text: IslandText;
}
