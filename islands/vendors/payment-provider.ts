import type { BankMethod } from '../../worker/catalog/rules/bank-methods.ts';
import type { StripeWallet } from '../../worker/catalog/rules/stripe-wallets.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { CardChallenge, Confirmed } from '../checkout/purchase.ts';
import type { ChallengeWords } from './bank-challenge.ts';
import type { Sum } from './wallet-amount.ts';

/** In the order of the form. */
export const cardFields = ['number', 'expiry', 'cvc'] as const;
export type CardField = (typeof cardFields)[number];

export type CardCause = 'empty' | 'incomplete' | 'invalid';

export interface CardWords {
  example: string;
  titles: Record<CardField, string>;
  wrong: Record<CardField, Record<CardCause, string>>;
}

/** A field in the provider's frame, as the page shows it. */
export interface FieldState {
  error: string;
  isComplete: boolean;
  isFocused: boolean;
}

export type ReportField = (field: CardField, state: Partial<FieldState>) => void;

export interface Fields {
  /** @throws CardError for invalid fields; otherwise the provider's error */
  nonce(name: string): Promise<string>;
  /** The card of the last nonce, such as `Visa •••• 4242`; empty if the provider does not name it. */
  label(): string;
  focus(field: CardField): void;
  unmount(): void;
}

export interface GoogleMerchant {
  id: string;
  /** Country of the acquiring bank, ISO 3166 alpha-2. */
  country: string;
}

export interface WalletPayment {
  deviceData?: string;
  /** Set for a wallet that does not return a card. */
  method?: StripeWallet | undefined;
  /** Such as `Visa •••• 4242`; empty if unknown. */
  card?: string;
  /** The wallet's name, such as `Google Pay`. */
  wallet?: string;
  onResult?(paid: boolean): void;
}

export interface ExpressOptions {
  sum: Sum;
  paypal: boolean;
  /** Wallets that may pay every plan; none if a card is saved. */
  stripeWallets?: readonly StripeWallet[] | undefined;
  buttonLabel: 'pay' | 'order';
  /** Whether one button of the device's own wallet is wanted, for a narrow place. */
  single?: boolean;
  google: GoogleMerchant;
  onPay(nonce: string, agreed: Sum, more?: WalletPayment): Promise<boolean>;
  onStart(agreed: Sum): void;
  /** The buyer closed the wallet's sheet. */
  onClose(): void;
  onError(message: string, agreed?: Sum): void;
}

export const cardLabel = (brand = '', last4 = ''): string =>
  last4 && `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${last4}`;

export interface Express {
  /** The wallets' names; none if there is no button. */
  names: string[];
  update(sum: Sum): void;
  unmount(): void;
}

export interface BankSum {
  /** Charged today, minor units. */
  amount: number;
  currency: string;
  methods: readonly BankMethod[];
}

export interface BankFields {
  /** @throws CardError for invalid fields; otherwise the provider's error */
  pay(): Promise<{ nonce: string; method: BankMethod }>;
  update(sum: BankSum): void;
  unmount(): void;
}

export interface Provider {
  gateway: GatewayName;
  mount(
    boxes: Record<CardField, HTMLElement>,
    words: CardWords,
    report: ReportField,
  ): Promise<Fields>;
  express?(box: HTMLElement, options: ExpressOptions): Promise<Express>;
  bank?(box: HTMLElement, sum: BankSum): Promise<BankFields>;
  /** Runs the bank's challenge. Returns errors, never throws. */
  confirm(challenge: CardChallenge, words: ChallengeWords): Promise<Confirmed>;
}

/** The error of each field, in the order of the form; empty if the card was refused as a whole. */
export type CardErrors = Partial<Record<CardField, string>>;

export class CardError extends Error {
  readonly errors: CardErrors;
  constructor(message: string, errors: CardErrors = {}) {
    super(message);
    this.errors = errors;
  }
  get field(): CardField | undefined {
    return cardFields.find((field) => this.errors[field]);
  }
}

/** The provider did not respond, so nothing was sent to us. */
export class ConnectionError extends Error {}

export interface ProviderSettings {
  vendors: string;
  language: string;
  /** The only usable provider, as for a saved card. */
  forcedProvider: GatewayName | null;
  preferred: GatewayName | null;
  method: 'card' | 'wallet';
  fallback?: { key: string; name: string };
  /** The token of a card link; otherwise the session's. */
  bearer?: string;
}
