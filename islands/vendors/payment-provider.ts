import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import type { Challenge, Confirmed } from '../checkout/purchase.ts';
import type { ChallengeWords } from './bank-challenge.ts';
import type { Sum } from './wallet-amount.ts';

export type CardField = 'number' | 'expiry' | 'cvc';

export interface CardWords {
  example: string;
  titles: Record<CardField, string>;
  wrong: Record<CardField, string>;
}

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

export interface GoogleMerchant {
  id: string;
  /** Country of the acquiring bank, ISO 3166 alpha-2. */
  country: string;
}

export interface WalletPayment {
  deviceData?: string;
  onResult?(paid: boolean): void;
}

export interface ExpressOptions {
  sum: Sum;
  paypal: boolean;
  buttonLabel: 'pay' | 'order';
  google: GoogleMerchant;
  onPay(nonce: string, agreed: Sum, more?: WalletPayment): Promise<boolean>;
  onStart(agreed: Sum): void;
  onError(message: string, agreed?: Sum): void;
}

export interface Express {
  available: boolean;
  update(sum: Sum): void;
  unmount(): void;
}

export interface Provider {
  gateway: GatewayName;
  mount(
    boxes: Record<CardField, HTMLElement>,
    words: CardWords,
    onError: (field: CardField, message: string) => void,
  ): Promise<Fields>;
  express?(box: HTMLElement, options: ExpressOptions): Promise<Express>;
  /** Runs the bank's challenge. Returns errors, never throws. */
  confirm(challenge: Challenge, words: ChallengeWords): Promise<Confirmed>;
}

export class CardError extends Error {
  readonly field: CardField | null;
  constructor(message: string, field: CardField | null) {
    super(message);
    this.field = field;
  }
}

export interface ProviderSettings {
  vendors: string;
  language: string;
  forcedProvider: GatewayName | null;
  fallback?: { key: string; name: string };
}
