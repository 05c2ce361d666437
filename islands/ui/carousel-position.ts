/** A carousel position, from 0; `count` is the clone of the first item. */
export interface Slide {
  to: number;
  after: number;
  seen: boolean;
}

/**
 * The next move: one item per interval. From the clone it jumps back, unanimated, after half an
 * interval.
 *
 * @param at current position
 * @param count items without the clone
 * @param interval ms
 * @param wrapped whether it has just jumped back
 * @returns null when there is nothing to advance to
 */
export function nextSlide(
  at: number,
  count: number,
  interval: number,
  wrapped = false,
): Slide | null {
  if (count < 2) return null;
  if (at >= count) return { to: 0, after: interval / 2, seen: false };
  return { to: at + 1, after: wrapped ? interval / 2 : interval, seen: true };
}

export function placeOf(scrolled: number, step: number): number {
  return step > 0 ? Math.round(Math.abs(scrolled) / step) : 0;
}
