import ReviewCarousel from '../../islands/review-carousel.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../../worker/page-types.ts';
import { reviewsOf } from './reviews.ts';

/** Reviews passing by, one at a time; nothing at all where there are none. */
export function ReviewSection({ page, t, text }: ScreenProps) {
  const items = reviewsOf({ page, t });
  if (items.length === 0) return null;
  return <Island of={ReviewCarousel} when="visible" text={text['review-carousel']} items={items} />;
}
