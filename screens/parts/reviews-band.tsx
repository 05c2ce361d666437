import type { Review } from '../../islands/parts/review-card.tsx';
import Reviews from '../../islands/reviews.tsx';
import { Island } from '../../islands/runtime/island.tsx';
import type { ScreenProps } from '../../worker/funnel/page.ts';

const samples = ['anna', 'jonas', 'maria'] as const;

/** What may be shown as reviews: marked samples outside production, none in it without a source. */
function reviewsOf({ page, t }: Pick<ScreenProps, 'page' | 't'>): Review[] {
  if (!page.test) return [];
  return samples.map((sample) => ({
    name: t(`reviews.${sample}.name`),
    text: t(`reviews.${sample}.text`),
    mark: t('reviews.sample'),
  }));
}

/** Reviews passing by, one at a time; nothing at all where there are none. */
export function ReviewsBand({ page, t, text }: ScreenProps) {
  const items = reviewsOf({ page, t });
  return (
    items.length > 0 && <Island of={Reviews} when="visible" text={text.reviews} items={items} />
  );
}
