import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

type Clarity = ((...call: unknown[]) => void) & { q?: unknown[][] };
type Page = Window & { clarity?: Clarity };

/**
 * Clarity's consent signal, required in the EEA, the UK and Switzerland since 31 October 2025:
 * learn.microsoft.com/en-us/clarity/setup-and-installation/cmp-integration-guide
 */
const signal = (storage: 'granted' | 'denied') =>
  (window as Page).clarity?.('consentv2', { ad_Storage: storage, analytics_Storage: storage });

/** Heatmap. All text is masked: it records where visitors click, never what they read or type. */
export function clarity(id: string, { at }: PixelTools): Pixel {
  return {
    name: 'clarity',
    load() {
      document.body.dataset.clarityMask = 'True';
      const page: Page = window;
      const calls: unknown[][] = [];
      page.clarity ??= Object.assign((...call: unknown[]) => void calls.push(call), { q: calls });
      // Clarity is loaded only after consent.
      signal('granted');
      return loadScript(at(`www.clarity.ms/tag/${id}`));
    },
    withdraw: () => signal('denied'),
  };
}
