import type { Client } from 'braintree-web';
import type { GoogleMerchant } from '../payment-provider.ts';
import type { Sum } from '../wallet-amount.ts';
import type { CardNonce } from './three-d-secure.ts';

/** What each of Braintree's wallets works with. */
export interface WalletContext {
  client: Client;
  /** Prefix of the vendors' scripts where stand-ins are served, else empty. */
  vendors: string;
  /** Which words the law wants on a button. */
  words: 'pay' | 'order';
  google: GoogleMerchant;
  /** What is to be paid at this moment. */
  sum(): Sum;
  /**
   * Pays what was agreed to, with a nonce, and with the first digits of its card where it has any.
   *
   * @param agreed what the wallet's sheet showed when it opened
   * @param make brings the nonce; where it throws, the payment failed
   * @param known hears what came of it before the visitor is led on
   */
  pay(
    agreed: Sum,
    make: () => Promise<CardNonce>,
    known?: (paid: boolean) => void,
  ): Promise<boolean>;
  /** Says that this way to pay did not work. */
  fail(error: unknown): void;
}

/** Draws a wallet's button into a cell of its own. */
export type Button = (cell: HTMLElement) => void | Promise<void>;

/** Makes a wallet ready; null where this browser or this account has none. */
export type Wallet = (till: WalletContext) => Promise<Button | null>;

/** Whether the page is dark: a black button would be lost on it. */
export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/** In pixels, of every wallet's button. */
export const buttonHeight = 52;
export const buttonRadius = 12;
