import type { Client } from 'braintree-web';
import type { GoogleMerchant } from '../payment-provider.ts';
import type { Sum } from '../wallet-amount.ts';
import type { CardNonce } from './three-d-secure.ts';

export interface WalletContext {
  client: Client;
  /** Path prefix of the fakes in development, else empty. */
  vendors: string;
  /** Legally required button label. */
  words: 'pay' | 'order';
  google: GoogleMerchant;
  /** The current amount. */
  sum(): Sum;
  /**
   * Pays the agreed amount with a nonce, and the card's first digits where there are any.
   *
   * @param agreed what the wallet's sheet showed when it opened
   * @param make creates the nonce; when it throws, the payment failed
   * @param onResult receives the result before the visitor is navigated on
   */
  pay(
    agreed: Sum,
    make: () => Promise<CardNonce>,
    onResult?: (paid: boolean) => void,
  ): Promise<boolean>;
  fail(error: unknown): void;
}

/** Draws a wallet's button into a cell. */
export type Button = (cell: HTMLElement) => void | Promise<void>;

/** Prepares a wallet; null when this browser or account does not support it. */
export type Wallet = (context: WalletContext) => Promise<Button | null>;

/** Dark pages need a light button. */
export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/** Height of every wallet button, px. */
export const buttonHeight = 52;
export const buttonRadius = 12;
