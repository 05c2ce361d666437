import ReviewCarousel from '../../islands/review-carousel.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { type CustomerReview, ReviewCard } from '../../islands/ui/review-card.tsx';
import type { PartProps, ScreenProps } from '../../worker/rendering/page-types.ts';
import { ByAnswer } from './by-answer.tsx';

/** Each with the author's relation to the subject. */
const samples = [
  ['anna', 'partner'],
  ['jonas', 'child'],
  ['maria', 'parent'],
] as const;

type RelatedReview = CustomerReview & { about?: string | undefined };

export function reviewsOf({ page, t }: PartProps<'reviews' | 'isTestMode'>): RelatedReview[] {
  if (page.reviews.length > 0) {
    return page.reviews.map(({ name = '', text, img, source, about }) => ({
      about,
      name,
      text,
      img,
      mark: source,
    }));
  }
  if (!page.isTestMode) return [];
  return samples.map(([sample, about]) => ({
    about,
    name: t(`reviews.${sample}.name`),
    text: t(`reviews.${sample}.text`),
    mark: t('reviews.sample'),
  }));
}

export function ReviewSection({ page, t, text }: ScreenProps) {
  const items = reviewsOf({ page, t });
  const [first] = items;
  if (!first) return null;
  const close = items.filter(({ about }) => about).map((item) => [item.about, item] as const);
  if (page.flow.hasQuestions && close.length > 0) {
    const cards = close.map(([about, item]) => [about, <ReviewCard key={about} item={item} />]);
    return (
      <ByAnswer when={Object.fromEntries(cards)}>
        <ReviewCard item={first} />
      </ByAnswer>
    );
  }
  return <Island of={ReviewCarousel} when="visible" text={text['review-carousel']} items={items} />;
}
