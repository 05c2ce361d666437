import type { Client } from 'braintree-web';
import type { GoogleMerchant } from '../payment-provider.ts';
import type { Sum } from '../wallet-amount.ts';
import type { CardNonce } from './three-d-secure.ts';

export interface WalletContext {
  client: Client;
  vendors: string;
  buttonLabel: 'pay' | 'order';
  google: GoogleMerchant;
  sum(): Sum;
  /**
   * Pays the agreed amount with a nonce, and the card's first digits if available.
   * @param agreed the amount in the wallet's sheet when it opened
   * @param make creates the nonce; if it throws, the payment failed
   * @param onResult receives the result before the navigation
   */
  pay(
    agreed: Sum,
    make: () => Promise<CardNonce>,
    onResult?: (paid: boolean) => void,
  ): Promise<boolean>;
  close(): void;
  fail(error: unknown): void;
}

export type Button = (cell: HTMLElement) => void | Promise<void>;

/** Prepares a wallet; null when this browser or account does not support it. */
export type Wallet = (context: WalletContext) => Promise<Button | null>;

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/** Height of every wallet button, px. */
export const buttonHeight = 55;
export const buttonRadius = 12;
