import type { IslandText, Text } from '../../locales/index.ts';
import type { BankMethod } from '../catalog/rules/bank-methods.ts';
import type { Market } from '../catalog/rules/markets.ts';
import type { PlanView } from '../catalog/rules/plans.ts';
import type { StripeWallet } from '../catalog/rules/stripe-wallets.ts';
import type { ArticleId, Testimonial } from '../content/page-content.ts';
import type { Theme } from '../content/rules/themes.ts';
import {
  type FlowProgress,
  isScreenId,
  type ScreenId,
  takesPayment,
} from '../experiments/rules/flows.ts';
import type { TrustLabel } from '../experiments/rules/trust-labels.ts';
import type { PageKind, PixelSettings } from '../http/page-kind.ts';
import type { GatewayName } from '../payments/purchase/state.ts';

export function pageKind(screen: string | null): PageKind {
  if (screen === 'invited') return 'private';
  if (screen === 'card') return 'payment';
  return screen !== null && isScreenId(screen) && takesPayment(screen) ? 'payment' : 'ordinary';
}

/** `tiles`: our own, from R2. `google`: Google's script, once the buyer asks for it. */
export type StreetSource = 'tiles' | 'google';

export interface PageFlow {
  name: string;
  arm: string;
  /** The arm that a marketer previews; null for visitors. */
  previewedArm: string | null;
  landingType: string;
  next: string | null;
  nextKind: PageKind;
  backLeavesSite: boolean;
  firstPath: string;
  /** The screen that asks for the number. */
  numberPath: string;
  searchPath: string;
  signupPath: string;
  checkoutPath: string;
  /** Null on landings too, where a bar of steps would be a list of chores. */
  progress: FlowProgress | null;
  hasQuestions: boolean;
}

export interface PageCheckout {
  plans: PlanView[];
  /** Shown after the offer expired or the intro was refused; empty if neither can happen. */
  plansAfterOffer: PlanView[];
  offerExpires: boolean;
  hasCoupons: boolean;
  /** By main plan: the methods of the visitor's bank that may pay it. */
  bankMethods: Record<string, BankMethod[]>;
  /** Stripe's wallets other than cards that may pay every plan of the page. */
  stripeWallets: StripeWallet[];
  /** The gateway of most accounts, and all that are configured. */
  defaultGateway: GatewayName;
  gateways: readonly GatewayName[];
  offersPayPal: boolean;
  googlePay: { id: string; country: string };
  stripe: { key: string; name: string };
  seller: string;
}

export interface PageExtras {
  upsell: PlanView;
  guide: PlanView;
  /** A part of the guide, shown where it is sold; null elsewhere. */
  guideSample: { title: string; part: string; list: readonly string[] } | null;
}

export interface PageDocument {
  /** Relative where `SITE_URL` is unset; null for a page without a preview. */
  previewImageUrl: string | null;
  /** Fingerprint of the terms, which a purchase sends back; null where nothing is sold. */
  terms: string | null;
  /** Null outside the funnel's ordinary screens, and where no network is configured. */
  pixels: PixelSettings | null;
  /** Other hosts whose scripts the page may load, separated by spaces; `*.` for all subdomains. */
  scriptHosts: string;
}

/** Everything that a page's HTML depends on; nothing about one visitor. */
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
    | 'card'
    | 'receipt'
    | 'guide'
    | 'invited';
  kind: PageKind;
  path: string;
  language: string;
  direction: 'ltr' | 'rtl';
  languageName: string;
  languages: readonly { code: string; name: string }[];
  /** The web font and its script; null for the system font, as on the first page of a visit. */
  fonts: { family: 'Inter' | 'Cairo'; script: string } | null;
  theme: Theme;
  brand: string;
  market: Market;
  /** The labels below a landing's button. */
  trust: readonly TrustLabel[];
  isTestMode: boolean;
  flow: PageFlow;
  checkout: PageCheckout;
  extras: PageExtras;
  document: PageDocument;
  legal: Record<ArticleId | 'cancel' | 'manage', string>;
  reviews: readonly Testimonial[];
  claims: readonly Testimonial[];
  /** The SMS of an invitation, by how long the position is shared; null if the page does not show it. */
  exampleMessages: Record<'hour' | 'day', string> | null;
  /** Placeholders that the edge replaces with the visitor's country; never compute with them. */
  country: { code: string; name: string; calling: string; example: string };
  /** Placeholders of the country's helpline; empty where none is known. */
  helpline: { name: string; number: string; dial: string; emergency: string };
  /** Prefix of the vendors' scripts: empty, or the path of their fakes in development. */
  fakesPath: string;
  googleClientId: string;
  stores: { apple: string; google: string; scheme: string };
  /** Where the street map around a shared position comes from; null without one. */
  streetSource: StreetSource | null;
}

export interface ScreenProps {
  page: Page;
  t: Text;
  text: IslandText;
}

export interface PartProps<Part extends keyof Page> {
  page: Pick<Page, Part>;
  t: Text;
}

const personalScreens = new Set<string>([
  'success',
  'invited',
  'manage',
  'cancel',
  'card',
  'receipt',
  'guide',
  'mail_link',
  'open_app',
]);

/** Pages with personal content: `no-store`, so Back does not show them to another user, and links to them need no preview. */
export const isPersonal = (screen: string): boolean => personalScreens.has(screen);
