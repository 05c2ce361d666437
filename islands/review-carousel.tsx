import { useEffect, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import styles from './review-carousel.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { type CustomerReview, ReviewCard, ReviewList } from './ui/review-card.tsx';

/** A carousel position, from 0; `count` is the clone of the first item. */
export interface Slide {
  to: number;
  after: number;
  seen: boolean;
}

/**
 * The next move: one item per interval. From the clone it jumps back, unanimated, after half an interval.
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

interface Props {
  text: IslandText['review-carousel'];
  items: (CustomerReview | string)[];
  /** Ms per item. */
  interval?: number;
  /** A static list. */
  staticList?: boolean;
}

/** Advances the list until stopped. @returns the stop function */
function slide(list: HTMLElement, count: number, interval: number): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const forward = getComputedStyle(list).direction === 'rtl' ? -1 : 1;
  const step = () => {
    const [first, second] = list.children as unknown as HTMLElement[];
    return first && second ? Math.abs(second.offsetLeft - first.offsetLeft) : 0;
  };
  const from = (at: number, wrapped: boolean) => {
    const next = nextSlide(at, count, interval, wrapped);
    if (!next) return;
    timer = setTimeout(() => {
      const left = forward * next.to * step();
      list.scrollTo({ left, behavior: next.seen ? 'smooth' : 'instant' });
      from(next.to, !next.seen);
    }, next.after);
  };
  from(placeOf(list.scrollLeft, step()), false);
  return () => clearTimeout(timer);
}

/** Shows reviews one at a time; pauses on touch, hover or focus. */
export default function ReviewCarousel({
  text,
  items,
  interval = 2000,
  staticList = false,
}: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [moving, setMoving] = useState(false);
  const [paused, setPaused] = useState({ touch: false, point: false, focus: false });
  const wait = paused.touch || paused.point || paused.focus;
  const pause = (how: keyof typeof paused, on: boolean) => () =>
    setPaused((before) => ({ ...before, [how]: on }));

  useOnHydrate(() => setMoving(!matchMedia('(prefers-reduced-motion: reduce)').matches));
  useEffect(() => {
    if (moving && !wait && list.current) return slide(list.current, items.length, interval);
  }, [moving, wait, items.length, interval]);

  if (staticList) return <ReviewList items={items} />;
  const first = items[0];
  return (
    <section
      className={styles.reviews}
      aria-label={text.label}
      onTouchStart={pause('touch', true)}
      onTouchEnd={pause('touch', false)}
      onTouchCancel={pause('touch', false)}
      onPointerEnter={pause('point', true)}
      onPointerLeave={pause('point', false)}
      onFocus={(event) => event.target.matches(':focus-visible') && pause('focus', true)()}
      onBlur={pause('focus', false)}
    >
      <ul ref={list} className={styles.list} tabIndex={0}>
        {items.map((item) => (
          <li key={typeof item === 'string' ? item : item.text} className={styles.item}>
            <ReviewCard item={item} />
          </li>
        ))}
        {first && items.length > 1 && (
          <li className={styles.item} aria-hidden="true">
            <ReviewCard item={first} />
          </li>
        )}
      </ul>
      {items.length > 1 && (
        <button
          className={`icon-button ${styles.pause}`}
          type="button"
          aria-label={moving ? text.pause : text.play}
          onClick={() => setMoving(!moving)}
        >
          <svg viewBox="-6 -6 28 28" width="28" height="28" fill="currentColor" aria-hidden="true">
            <circle cx="8" cy="8" r="13" fill="none" stroke="var(--edge)" />
            <path d={moving ? 'M4 3h3v10H4zM9 3h3v10H9z' : 'M5 3l8 5-8 5z'} />
          </svg>
        </button>
      )}
    </section>
  );
}
