import type { PageKind, PixelSettings } from '../page-types.ts';

export type Directive = `${'script' | 'style' | 'img' | 'connect' | 'frame'}-src` | 'form-action';
type Network = Exclude<keyof PixelSettings, 'vendors' | 'suffix'>;

export interface ThirdParty {
  who: string;
  why: string;
  kinds: readonly PageKind[];
  /** Where the vendor publishes these hosts; null for our own. */
  published: string | null;
  /** Only where a deployment has this ad network; scripts also need the visitor's consent. */
  network?: Network;
  sources: Partial<Record<Directive, readonly string[]>>;
  /** Trusted Types policies that its scripts create, as far as known. */
  policies?: readonly string[];
  /** Origins whose frames may open the browser's payment sheet. */
  pays?: readonly string[];
  integrity: string;
}

export const unpinned = 'none: the vendor changes the file at its URL, so a hash would block it';
export const googlePolicies = ['goog#html', 'google#safe', "'allow-duplicates'"];
