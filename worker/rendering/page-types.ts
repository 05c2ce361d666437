import type { IslandText, Text } from '../../locales/index.ts';
import type { BankMethod } from '../catalog/rules/bank-methods.ts';
import type { Market } from '../catalog/rules/markets.ts';
import type { PlanView, Renewals } from '../catalog/rules/plans.ts';
import type { StripeWallet } from '../catalog/rules/stripe-wallets.ts';
import type { ArticleId, Testimonial, Theme } from '../content/page-content.ts';
import {
  isScreenId,
  type Progress,
  type ScreenId,
  takesPayment,
} from '../experiments/rules/flows.ts';
import type { PageKind, PixelSettings } from '../http/page-kind.ts';
import type { GatewayName } from '../payments/purchase/state.ts';

export function pageKind(screen: string | null): PageKind {
  if (screen === 'invited') return 'private';
  if (screen === 'card') return 'payment';
  return screen !== null && isScreenId(screen) && takesPayment(screen) ? 'payment' : 'ordinary';
}

/** `tiles`: our own, from R2. `google`: Google's script, once the buyer asks for it. */
export type StreetSource = 'tiles' | 'google';

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
  flow: string;
  arm: string;
  landingType: string;
  language: string;
  direction: 'ltr' | 'rtl';
  languageName: string;
  /** The web font and its script; null for the system font, as on the first page of a visit. */
  fonts: { family: 'Inter' | 'Cairo'; script: string } | null;
  languages: readonly { code: string; name: string }[];
  market: Market;
  /** Fingerprint of the terms, which a purchase sends back; null where nothing is sold. */
  terms: string | null;
  theme: Theme;
  brand: string;
  /** The seller, with its legal name if configured. */
  seller: string;
  next: string | null;
  nextKind: PageKind;
  /** Whether Back leaves the funnel: on the flow's first screen, and on pages outside the funnel. */
  entry: boolean;
  first: string;
  /** Of the flow, or the plain one. */
  search: string;
  signup: string;
  checkout: string;
  /** Null outside the steps of the flow. */
  progress: Progress | null;
  /** Whether the flow contains questions, whose answers shape later screens. */
  hasQuestions: boolean;
  /** The SMS of an invitation, by how long the position is shared; null if the page does not show it. */
  sms: Record<'hour' | 'day', string> | null;
  /** URL of the link preview image for other sites; relative where `SITE_URL` is unset. */
  card: string;
  /** Placeholders that the edge replaces with the visitor's country; never compute with them. */
  country: { code: string; name: string; calling: string; example: string };
  /** Placeholders of the country's helpline; empty where none is known. */
  help: { name: string; number: string; dial: string };
  renewals: Renewals;
  plans: PlanView[];
  /** Shown after the offer expired or the intro was refused; empty if neither can happen. */
  plansAfterOffer: PlanView[];
  offerExpires: boolean;
  upsell: PlanView;
  guide: PlanView;
  /** A part of the guide, shown where it is sold; null elsewhere. */
  guideSample: { title: string; part: string; list: readonly string[] } | null;
  /** By main plan: the methods of the visitor's bank that may pay it. */
  bankMethods: Record<string, BankMethod[]>;
  /** Stripe's wallets other than cards that may pay every plan of the page. */
  stripeWallets: StripeWallet[];
  /** The gateway of most accounts, and all that are configured. */
  gateway: GatewayName;
  gateways: readonly GatewayName[];
  paypal: boolean;
  googlePay: { id: string; country: string };
  coupons: boolean;
  reviews: readonly Testimonial[];
  claims: readonly Testimonial[];
  /** The arm that a marketer previews; null for visitors. */
  preview: string | null;
  test: boolean;
  /** Prefix of the vendors' scripts: empty, or the path of their fakes in development. */
  vendors: string;
  /** Null outside the funnel's ordinary screens, and where no network is configured. */
  pixels: PixelSettings | null;
  /** Other hosts whose scripts the page may load, separated by spaces; `*.` for all subdomains. */
  scripts: string;
  google: string;
  stripe: { key: string; name: string };
  stores: { apple: string; google: string; scheme: string };
  /** Where the street map around a shared position comes from; null without one. */
  streets: StreetSource | null;
  legal: Record<ArticleId | 'cancel' | 'manage', string>;
}

export interface ScreenProps {
  page: Page;
  t: Text;
  text: IslandText;
}
