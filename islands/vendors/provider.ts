import type { GatewayName } from '../../worker/funnel/purchase.ts';
import type { Challenge, Confirmed } from '../stores/purchase.ts';

export type CardField = 'number' | 'expiry' | 'cvc';

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
    onError: (field: CardField, message: string) => void,
  ): Promise<Fields>;
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
