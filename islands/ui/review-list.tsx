import { isValidElement } from 'react';
import { ReviewCard, type ReviewItem } from './review-card.tsx';

const keyOf = (item: ReviewItem) =>
  typeof item === 'string' ? item : isValidElement(item) ? item.key : item.text;

export function ReviewList({ items }: { items: readonly ReviewItem[] }) {
  return (
    <ul className="stack gap-12">
      {items.map((item) => (
        <li key={keyOf(item)}>
          <ReviewCard item={item} />
        </li>
      ))}
    </ul>
  );
}
