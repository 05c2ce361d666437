import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import type { Challenge, Confirmed } from '../checkout/purchase.ts';
import type { ChallengeWords } from './bank-challenge.ts';
import type { Sum } from './wallet-amount.ts';

export type CardField = 'number' | 'expiry' | 'cvc';

/** Names of the card fields, and what is said when one is wrong, by a provider without words. */
export interface CardWords {
  /** How a date is written, such as `MM / YY`. */
  example: string;
  titles: Record<CardField, string>;
  wrong: Record<CardField, string>;
}

/** The provider's card fields in our boxes. */
export interface Fields {
  /**
   * One-time name of the card that they hold.
   *
   * @param name on the card, may be empty
   * @throws CardError when a field is at fault; else what the provider throws
   */
  nonce(name: string): Promise<string>;
  unmount(): void;
}

/** Who takes the money, as Google Pay has to be told. */
export interface GoogleMerchant {
  /** Google's id of the merchant; empty where there is none, so that only its test works. */
  id: string;
  /** ISO 3166 alpha-2 of the bank that takes the payment. */
  country: string;
}

/** What goes along with a wallet's payment. */
export interface WalletPayment {
  /** What the provider noticed of the device, to tell fraud by. */
  deviceData?: string;
  /** Hears what came of it before the visitor is led on. */
  known?(paid: boolean): void;
}

/** What the page wants of the wallets' buttons. */
export interface ExpressOptions {
  sum: Sum;
  /** Whether PayPal is among them. */
  paypal: boolean;
  /** Which words the law wants on a button. */
  words: 'pay' | 'order';
  /** What Google wants to know of the merchant, where its button is ours. */
  google: GoogleMerchant;
  /**
   * Pays with a one-time name of a payment method; says whether it is paid.
   *
   * @param agreed what the wallet's sheet showed when it opened
   */
  onPay(nonce: string, agreed: Sum, more?: WalletPayment): Promise<boolean>;
  /** Hears that the buyer agreed in the wallet's sheet, before there is anything to pay with. */
  onStart(agreed: Sum): void;
  /**
   * @param message as the provider words it, empty where it has no words
   * @param agreed where the buyer had agreed, and it then came to nothing to pay with
   */
  onError(message: string, agreed?: Sum): void;
}

/** The wallets' buttons in a box of ours. */
export interface Express {
  /** Whether this browser and the page agree on any. */
  offered: boolean;
  update(sum: Sum): void;
  unmount(): void;
}

/** A payment provider in the browser. */
export interface Provider {
  gateway: GatewayName;
  /**
   * Mounts the three card fields into boxes of ours.
   *
   * @param onError hears a field's error as the provider words it; empty when it is gone
   */
  mount(
    boxes: Record<CardField, HTMLElement>,
    words: CardWords,
    onError: (field: CardField, message: string) => void,
  ): Promise<Fields>;
  /** Draws the wallets' buttons, where the provider has any. */
  express?(box: HTMLElement, options: ExpressOptions): Promise<Express>;
  /** Has the payer prove to the bank who they are; ends without an answer too, never throws it. */
  confirm(challenge: Challenge, words: ChallengeWords): Promise<Confirmed>;
}

/** A card that the provider refused before any money was asked for. */
export class CardError extends Error {
  readonly field: CardField | null;
  constructor(message: string, field: CardField | null) {
    super(message);
    this.field = field;
  }
}

/** What a page knows of its providers. */
export interface ProviderSettings {
  /** Prefix of the vendors' scripts where stand-ins are served, else empty. */
  vendors: string;
  /** BCP 47. */
  language: string;
  /** The provider that the screen insists on; the payment settings decide when it is null. */
  forcedProvider: GatewayName | null;
  /** The card provider's key and account name, should the product not tell its own. */
  fallback?: { key: string; name: string };
}
