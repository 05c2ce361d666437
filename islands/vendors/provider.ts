import type { GatewayName } from '../../worker/funnel/purchase.ts';
import type { Challenge, Confirmed } from '../stores/purchase.ts';

export type CardField = 'number' | 'expiry' | 'cvc';

/** Names of the card fields, and what is said when one is wrong, by a provider without words. */
export interface CardWords {
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

/** What a wallet is asked to pay. */
export interface Sum {
  /** Name of the plan. */
  label: string;
  /** Minor units: today's charge, and each renewal's. */
  today: number;
  renewal: number;
  currency: 'USD' | 'EUR';
  /** Months between renewals, and days until the first one. */
  months: number;
  days: number;
}

/** What the page wants of the wallets' buttons. */
export interface ExpressOptions {
  sum: Sum;
  /** Whether PayPal is among them. */
  paypal: boolean;
  /** Which words the law wants on a button. */
  words: 'pay' | 'order';
  /** Pays with a one-time name of a payment method; says whether it is paid. */
  onPay(nonce: string): Promise<boolean>;
  onError(message: string): void;
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
  /** Has the payer prove to the bank who they are. */
  confirm(challenge: Challenge): Promise<Confirmed>;
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
export interface Access {
  /** Prefix of the vendors' scripts where stand-ins are served, else empty. */
  vendors: string;
  /** BCP 47. */
  language: string;
  /** The provider that the screen insists on; the payment settings decide when it is null. */
  insists: GatewayName | null;
  /** The card provider's key and account name, should the product not tell its own. */
  fallback?: { key: string; name: string };
}
