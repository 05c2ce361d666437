/**
 * Selects the content security policy; a `private` page stores and sends nothing about its reader. `map` is Google's
 * street map in a frame.
 */
export type PageKind = 'ordinary' | 'payment' | 'private' | 'map';

export interface PixelSettings {
  vendors: string;
  /** Appended to event names outside production. */
  suffix: string;
  meta?: string;
  tiktok?: string;
  google?: { ads?: string; label?: string; analytics?: string };
  heatmap?: string;
  appsflyer?: string;
  onelink?: string;
}
