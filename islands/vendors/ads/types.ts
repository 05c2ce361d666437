import type { PixelPurchase } from '../../runtime/tracking/pixel-purchases.ts';

export interface Pixel {
  name: string;
  /** @throws when the script does not load */
  load(): Promise<void>;
  withdraw?(): void;
  /** Sends a purchase; missing in pixels that only observe. */
  purchase?(purchase: PixelPurchase): void;
}

export interface PixelTools {
  at(address: string): string;
  suffix: string;
}
