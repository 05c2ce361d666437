import ReviewCarousel from '../../islands/review-carousel.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import type { Review } from '../../islands/ui/review-card.tsx';
import type { ScreenProps } from '../../worker/page-types.ts';

const samples = ['anna', 'jonas', 'maria'] as const;

export function reviewsOf({ page, t }: Pick<ScreenProps, 'page' | 't'>): Review[] {
  if (page.reviews.length > 0) {
    return page.reviews.map(({ name = '', text, img, source }) => ({
      name,
      text,
      img,
      mark: source,
    }));
  }
  if (!page.test) return [];
  return samples.map((sample) => ({
    name: t(`reviews.${sample}.name`),
    text: t(`reviews.${sample}.text`),
    mark: t('reviews.sample'),
  }));
}

export function ReviewSection({ page, t, text }: ScreenProps) {
  const items = reviewsOf({ page, t });
  if (items.length === 0) return null;
  return <Island of={ReviewCarousel} when="visible" text={text['review-carousel']} items={items} />;
}
