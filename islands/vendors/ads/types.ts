import type { PixelPurchase } from '../../runtime/tracking/pixel-purchases.ts';

/** A network's script in the page. */
export interface Pixel {
  name: string;
  /** Loads it. @throws when it does not come */
  load(): Promise<void>;
  /** Tells it that the visitor no longer agrees. */
  withdraw?(): void;
  /** Tells it of a purchase; one that only watches has none. */
  purchase?(purchase: PixelPurchase): void;
}

/** How a pixel is made. */
export interface PixelTools {
  /** The address of a vendor's script: at its own host, or where its stand-in is served. */
  at(address: string): string;
  /** What ends the names of events outside production. */
  suffix: string;
}
