import type { PixelPurchase } from '../../runtime/tracking/pixel-purchases.ts';

/** An ad network's script in the page. */
export interface Pixel {
  name: string;
  /** @throws when the script does not load */
  load(): Promise<void>;
  /** Signals withdrawn consent. */
  withdraw?(): void;
  /** Sends a purchase; missing in pixels that only observe. */
  purchase?(purchase: PixelPurchase): void;
}

export interface PixelTools {
  /** The address of a vendor's script: its own host, or the fake in development. */
  at(address: string): string;
  /** Suffix of event names outside production. */
  suffix: string;
}
