import type {
  StripeExpressCheckoutElementOptions as ExpressOptions,
  ExpressPaymentType,
  StripeElementStyle,
} from '@stripe/stripe-js';

export type Wallet = Extract<ExpressPaymentType, 'apple_pay' | 'google_pay' | 'paypal' | 'link'>;

/** Sent once to the frame of the buttons, in its URL fragment. */
export interface ExpressSetup {
  wallets: Wallet[];
  columns: number;
  height: number;
  theme: NonNullable<ExpressOptions['buttonTheme']>;
  type: NonNullable<ExpressOptions['buttonType']>;
  /** Origin of the page. */
  page: string;
  /** Which way the page is written: `ltr` or `rtl`. */
  direction: string;
}

export type FromExpress =
  | { kind: 'ready' | 'focus' | 'blur' | 'escape' }
  | { kind: 'press'; wallet: Wallet };

/** What the sheet of a wallet shows. */
export interface SheetSetup {
  wallet: Wallet;
  /** Minor units. */
  amount: number;
  currency: string;
  lines: { name: string; amount: number }[];
  page: string;
}

/** The customer pays with a test card, or cancels. */
export type FromSheet = { kind: 'pays'; card: string } | { kind: 'leaves' };
export const walletNames: Record<Wallet, string> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  paypal: 'PayPal',
  link: 'Link',
};

/** The origins of the fake's scripts, frames and API. */
export interface Origins {
  /** Up to and including the host: `https://js.stripe.com` or `http://localhost:8787/fakes/js.stripe.com`. */
  js: string;
  api: string;
}

/** The place of a script by its address, which holds `js.stripe.com` as host or in its path. */
export function originsOf(source: string): Origins {
  const host = 'js.stripe.com';
  const at = source.indexOf(host);
  if (at < 0) throw new Error(`the fake Stripe.js was loaded from ${source}`);
  const js = source.slice(0, at + host.length);
  return { js, api: `${js.slice(0, -host.length)}api.stripe.com/v1` };
}

export type FieldType = 'cardNumber' | 'cardExpiry' | 'cardCvc';

/** What a page may set on a field. */
export interface FieldOptions {
  style?: StripeElementStyle;
  placeholder?: string;
  disabled?: boolean;
  showIcon?: boolean;
}

/** Sent once to a field, in its URL fragment, which no server sees. */
export interface FieldSetup {
  type: FieldType;
  options: FieldOptions;
  /** Name of the channel on which the fields of one form talk. */
  group: string;
  key: string;
  /** Where `/payment_methods` is. */
  api: string;
  /** Origin of the page. */
  page: string;
}

export interface FieldError {
  type: 'validation_error';
  code: string;
  message: string;
}

/** All that a field discloses about its value. */
export interface FieldValue {
  empty: boolean;
  complete: boolean;
  brand?: string;
  error?: FieldError;
}

export type FromField =
  | { kind: 'ready' | 'focus' | 'blur' | 'escape' | 'submit' }
  | { kind: 'change'; value: FieldValue }
  | { kind: 'answer'; call: number; result: object };
export type ToField =
  | { kind: 'focus' | 'blur' | 'clear' }
  | { kind: 'update'; options: FieldOptions }
  | { kind: 'create'; call: number; details: object };

/** Between the fields only: the page has no way onto this channel's origin. */
export type AmongFields =
  | { kind: 'brand'; brand: string }
  | { kind: 'collect' }
  | { kind: 'collected'; type: FieldType; text: string };

/** Messages to and from the bank's frame. */
export interface ChallengeSetup {
  intent: string;
  secret: string;
  key: string;
  api: string;
  page: string;
}

export type FromChallenge = { kind: 'challenged' };

type Handler = (event: object) => void;

/** What every element of Stripe.js can: be listened to. */
export class Emitter {
  private readonly handlers = new Map<string, Set<Handler>>();

  on(type: string, handler: Handler): this {
    const known = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, known.add(handler));
    return this;
  }

  once(type: string, handler: Handler): this {
    const first: Handler = (event) => {
      this.off(type, first);
      handler(event);
    };
    return this.on(type, first);
  }

  off(type: string, handler?: Handler): this {
    if (handler) this.handlers.get(type)?.delete(handler);
    else this.handlers.delete(type);
    return this;
  }

  protected emit(type: string, event: object): void {
    for (const handler of [...(this.handlers.get(type) ?? [])]) handler(event);
  }

  protected hears(type: string): boolean {
    return (this.handlers.get(type)?.size ?? 0) > 0;
  }

  protected forget(): void {
    this.handlers.clear();
  }
}
