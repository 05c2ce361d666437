import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

type Clarity = ((...call: unknown[]) => void) & { q?: unknown[][] };
type Page = { clarity?: Clarity };

/**
 * Clarity's consent signal, which Microsoft requires in the EEA, the UK and Switzerland since
 * 31 October 2025: learn.microsoft.com/en-us/clarity/setup-and-installation/cmp-integration-guide
 */
const signal = (storage: 'granted' | 'denied') =>
  (window as Page).clarity?.('consentv2', { ad_Storage: storage, analytics_Storage: storage });

/** The heatmap. All words of the page are hidden from it, so that it sees where, never what. */
export function clarity(id: string, { at }: PixelTools): Pixel {
  return {
    name: 'clarity',
    load() {
      document.body.dataset.clarityMask = 'True';
      const page = window as Page;
      const calls: unknown[][] = [];
      page.clarity ??= Object.assign((...call: unknown[]) => void calls.push(call), { q: calls });
      // It is loaded only once the visitor allows it.
      signal('granted');
      return loadScript(at(`www.clarity.ms/tag/${id}`));
    },
    withdraw: () => signal('denied'),
  };
}
