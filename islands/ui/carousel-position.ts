/** Where a carousel goes next; places are counted from 0, and `count` is the clone of the first. */
export interface Slide {
  /** The place to go to. */
  to: number;
  /** Milliseconds until then. */
  after: number;
  /** Whether the visitor sees the way; the step from the clone to the first is not seen. */
  seen: boolean;
}

/**
 * The next move of a carousel: one item an interval. From the clone it goes back, unseen, after
 * half an interval, and the first item stands for the other half.
 *
 * @param at the place where it stands
 * @param count items without the clone
 * @param interval milliseconds
 * @param wrapped whether it has just come back from the clone
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

/**
 * The place at which a scrolled list stands.
 *
 * @param scrolled pixels, negative where the writing goes from right to left
 * @param step pixels from one item to the next
 */
export function placeOf(scrolled: number, step: number): number {
  return step > 0 ? Math.round(Math.abs(scrolled) / step) : 0;
}
