import type { Review } from '../../islands/parts/review-card.tsx';
import type { ScreenProps } from '../../worker/funnel/page.ts';

const samples = ['anna', 'jonas', 'maria'] as const;

/** What may be shown as reviews: marked samples outside production, none in it without a source. */
export function reviewsOf({ page, t }: Pick<ScreenProps, 'page' | 't'>): Review[] {
  if (!page.test) return [];
  return samples.map((sample) => ({
    name: t(`reviews.${sample}.name`),
    text: t(`reviews.${sample}.text`),
    mark: t('reviews.sample'),
  }));
}
