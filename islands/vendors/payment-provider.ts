import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import type { Challenge, Confirmed } from '../checkout/purchase.ts';
import type { ChallengeWords } from './bank-challenge.ts';
import type { Sum } from './wallet-amount.ts';

export type CardField = 'number' | 'expiry' | 'cvc';

/** Labels of the card fields, and validation messages for providers without their own. */
export interface CardWords {
  /** Date format, such as `MM / YY`. */
  example: string;
  titles: Record<CardField, string>;
  wrong: Record<CardField, string>;
}

/** The provider's card fields in our containers. */
export interface Fields {
  /**
   * Creates the card's one-time payment token.
   *
   * @param name cardholder; may be empty
   * @throws CardError for an invalid field; otherwise the provider's error
   */
  nonce(name: string): Promise<string>;
  unmount(): void;
}

/** Merchant data for Google Pay. */
export interface GoogleMerchant {
  /** Google's merchant id; empty limits Google Pay to test mode. */
  id: string;
  /** Country of the acquiring bank, ISO 3166 alpha-2. */
  country: string;
}

/** Extra data of a wallet payment. */
export interface WalletPayment {
  /** Device data for the provider's fraud checks. */
  deviceData?: string;
  /** Receives the result before the visitor is navigated on. */
  onResult?(paid: boolean): void;
}

export interface ExpressOptions {
  sum: Sum;
  /** Whether to offer PayPal. */
  paypal: boolean;
  /** Legally required button label. */
  words: 'pay' | 'order';
  /** Merchant data, where we draw Google's button. */
  google: GoogleMerchant;
  /**
   * Pays with a one-time payment token; returns whether it is paid.
   *
   * @param agreed what the wallet's sheet showed when it opened
   */
  onPay(nonce: string, agreed: Sum, more?: WalletPayment): Promise<boolean>;
  /** Called when the buyer agreed in the wallet's sheet, before a payment token exists. */
  onStart(agreed: Sum): void;
  /**
   * @param message the provider's; empty when it has none
   * @param agreed set when the buyer had agreed, but no payment token was created
   */
  onError(message: string, agreed?: Sum): void;
}

/** Mounted wallet buttons. */
export interface Express {
  /** Whether any wallet is available. */
  offered: boolean;
  update(sum: Sum): void;
  unmount(): void;
}

/** A payment provider in the browser. */
export interface Provider {
  gateway: GatewayName;
  /**
   * Mounts the three card fields.
   *
   * @param onError receives a field's error in the provider's words; empty when it is resolved
   */
  mount(
    boxes: Record<CardField, HTMLElement>,
    words: CardWords,
    onError: (field: CardField, message: string) => void,
  ): Promise<Fields>;
  /** Mounts the wallet buttons, if the provider has any. */
  express?(box: HTMLElement, options: ExpressOptions): Promise<Express>;
  /** Runs the bank's challenge. Returns errors, never throws. */
  confirm(challenge: Challenge, words: ChallengeWords): Promise<Confirmed>;
}

/** A card that the provider refused before any charge. */
export class CardError extends Error {
  readonly field: CardField | null;
  constructor(message: string, field: CardField | null) {
    super(message);
    this.field = field;
  }
}

export interface ProviderSettings {
  /** Path prefix of the fakes in development, else empty. */
  vendors: string;
  language: string;
  /** The provider that the screen forces; null uses the payment settings. */
  forcedProvider: GatewayName | null;
  /** Stripe key and account name when the payment settings have none. */
  fallback?: { key: string; name: string };
}
