import type { PageKind, PixelSettings } from '../page-types.ts';

export type Directive = `${'script' | 'style' | 'img' | 'connect' | 'frame'}-src` | 'form-action';
type Network = Exclude<keyof PixelSettings, 'vendors' | 'suffix'>;

/** Somebody whose scripts or answers a page meets, and why. */
export interface ThirdParty {
  who: string;
  /** What the product could not do without it. */
  why: string;
  kinds: readonly PageKind[];
  /** Where the vendor publishes these hosts; null for our own. */
  published: string | null;
  /** Only where a deployment has this network; the visitor's consent comes on top. */
  network?: Network;
  sources: Partial<Record<Directive, readonly string[]>>;
  /** Names of the Trusted Types policies that its scripts make, as far as they are known. */
  policies?: readonly string[];
  /** Origins whose frames may open the browser's own payment sheet. */
  pays?: readonly string[];
  /** How a changed script would be noticed. */
  integrity: string;
}

export const unpinned =
  'none: the vendor changes the file under its address, so a hash would stop it';
/** Closure's and Safe Values' own names; a page may hold several scripts that make them. */
export const googlePolicies = ['goog#html', 'google#safe', "'allow-duplicates'"];
