import { readItem, writeMemory } from '../storage/state-storage.ts';
import { screenName, track } from './track.ts';

/** A tap whose result the visitor waits for; times in ms since 1970. */
interface Tap {
  at: number;
  screen: string;
  /** Whether its screen was left before React had hydrated the tapped island. */
  early: boolean;
}

/** In memory only; the handover passes it to the next document. */
const key = 'funnel:tap';

let tapped: { at: number; island: Element | null } | undefined;

if (typeof document !== 'undefined') {
  addEventListener(
    'click',
    ({ isTrusted, target, timeStamp }) => {
      // A replayed event has the time of the original tap.
      if (isTrusted) tapped = { at: timeStamp, island: (target as Element).closest?.('x-island') };
    },
    true,
  );
}

/** A buffered tap, possibly from before this module was loaded. */
function bufferedTap() {
  const island = document.querySelector<HTMLElement>('main [data-buffered]');
  return island ? { at: Number(island.dataset.buffered), island } : undefined;
}

export function recordLeaving(): void {
  const tap = tapped ?? bufferedTap();
  tapped = undefined;
  if (!tap) return;
  const { at, island } = tap;
  const early = island?.matches(':not([live])') ?? !document.querySelector('main x-island[live]');
  const pending: Tap = { at: performance.timeOrigin + at, screen: screenName(), early };
  writeMemory([[key, JSON.stringify(pending)]]);
}

/** @param shownAt when the resulting screen was shown, ms of this document */
export function trackTapToScreen(shownAt: number): void {
  const stored = readItem('sessionStorage', key);
  if (!stored) return;
  writeMemory([[key, '']]);
  const { at, screen, early }: Tap = JSON.parse(stored);
  const tap_to_screen = Math.round(performance.timeOrigin + shownAt - at);
  track('web_vitals', { tap_to_screen, before_react: Number(early), screen_name: screen });
}

/** Ms of this document. */
export const firstPaint = (): number | undefined =>
  performance.getEntriesByName('first-contentful-paint')[0]?.startTime;

/** Tracks a tap whose result is this document. */
export function trackTapToDocument(): void {
  const painted = firstPaint();
  if (painted !== undefined) trackTapToScreen(painted);
}
