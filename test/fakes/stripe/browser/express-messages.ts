import type {
  StripeExpressCheckoutElementOptions as ExpressOptions,
  ExpressPaymentType,
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
