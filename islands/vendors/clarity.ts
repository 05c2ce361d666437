import type { Pixel, PixelTools } from './pixel.ts';
import { loadScript } from './script.ts';

/** The heatmap. All words of the page are hidden from it, so that it sees where, never what. */
export function clarity(id: string, { at }: PixelTools): Pixel {
  return {
    name: 'clarity',
    load() {
      document.body.dataset.clarityMask = 'True';
      const page = window as { clarity?: { q?: unknown[][] } };
      const calls: unknown[][] = [];
      page.clarity ??= Object.assign((...call: unknown[]) => void calls.push(call), { q: calls });
      return loadScript(at(`www.clarity.ms/tag/${id}`));
    },
  };
}
