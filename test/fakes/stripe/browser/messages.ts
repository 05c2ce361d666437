import type {
  StripeExpressCheckoutElementOptions as ExpressOptions,
  StripeElementStyle,
  StripeError,
} from '@stripe/stripe-js';
import type { CardField, FieldValue } from '../../browser/card-format.ts';

export type Wallet = 'apple_pay' | 'google_pay' | 'link';

export const walletNames: Record<Wallet, string> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
};

/** The origins of the fake's scripts, frames and API. */
export interface Origins {
  /** Up to and including the host: `https://js.stripe.com` or `http://localhost:8787/fakes/js.stripe.com`. */
  js: string;
  api: string;
}

/** The place of a script by its URL, which contains `js.stripe.com` as host or in its path. */
export function originsOf(source: string): Origins {
  const host = 'js.stripe.com';
  const at = source.indexOf(host);
  if (at < 0) throw new Error(`the fake Stripe.js was loaded from ${source}`);
  const js = source.slice(0, at + host.length);
  return { js, api: `${js.slice(0, -host.length)}api.stripe.com/v1` };
}

/** A frame's setup is sent once, in its URL fragment, which is not sent to servers. `page`: the page's origin. */
export const fragmentOf = (setup: object) =>
  encodeURIComponent(JSON.stringify({ ...setup, page: location.origin }));

export const setupOf = <Setup>(): Setup & { page: string } =>
  JSON.parse(decodeURIComponent(location.hash.slice(1)));

export interface FieldSetup {
  field: CardField;
  style: StripeElementStyle;
  /** The page's own fonts. */
  fonts: { family: string; src: string; weight?: string }[];
  placeholder?: string;
  showIcon?: boolean;
  /** Name of the channel that connects the fields of one form. */
  group: string;
  key: string;
  api: string;
}

export interface ExpressSetup {
  wallets: Wallet[];
  columns: number;
  /** In px. */
  height: number;
  type: NonNullable<ExpressOptions['buttonType']>;
  theme: NonNullable<ExpressOptions['buttonTheme']>;
  /** The page's direction: `ltr` or `rtl`. */
  direction: string;
  locale: string;
  /** Of a button's corners. */
  radius: string;
}

export interface ChallengeSetup {
  intent: string;
  secret: string;
  key: string;
  api: string;
}

export interface PaymentSetup {
  /** Bank methods offered by the page. */
  types: string[];
  colours: { colorBackground?: string; colorText?: string };
  key: string;
  api: string;
}

export interface RedirectSetup extends ChallengeSetup {
  returnUrl: string;
}

export type FromFrame =
  | { kind: 'ready' | 'submit' | 'challenged' | 'focus' | 'blur' }
  | { kind: 'press'; wallet: Wallet }
  | { kind: 'resize'; heightPx: number }
  | { kind: 'change'; value: FieldValue }
  | { kind: 'answer'; call: number; result: object };
export type ToField =
  | { kind: 'focus' }
  | { kind: 'create' | 'check'; call: number; details: object };

/** Messages between the fields only: the page cannot use this channel, which belongs to another origin. */
export type AmongFields =
  | { kind: 'collect' }
  | { kind: 'collected'; field: CardField; text: string };

/** Nested values as bracketed form fields, in Stripe's format. */
export function encode(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (inner === undefined || inner === null) return [];
    return typeof inner === 'object' ? encode(inner, key) : [[key, String(inner)]];
  });
}

type Answer = { object: object; error?: undefined } | { error: StripeError };

/** One call with the publishable key, as a simple request that needs no preflight. */
export async function request(
  api: string,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  params: object,
): Promise<Answer> {
  const form = new URLSearchParams([...encode(params), ['key', key]]);
  try {
    const response =
      method === 'GET'
        ? await fetch(`${api}${path}?${form}`)
        : await fetch(`${api}${path}`, { method, body: form });
    const answer = await response.json();
    return response.ok ? { object: answer } : { error: answer.error };
  } catch {
    // https://docs.stripe.com/js: the message of Stripe.js when its request gets no reply.
    const message =
      'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again. If the problem persists please contact us.';
    return { error: { type: 'api_connection_error', message } };
  }
}
