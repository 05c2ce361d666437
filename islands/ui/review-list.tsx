import { isValidElement } from 'react';
import { ReviewCard, type ReviewItem } from './review-card.tsx';
import styles from './review-list.module.css';

const keyOf = (item: ReviewItem) =>
  typeof item === 'string' ? item : isValidElement(item) ? item.key : item.text;

export function ReviewList({ items }: { items: readonly ReviewItem[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={keyOf(item)}>
          <ReviewCard item={item} />
        </li>
      ))}
    </ul>
  );
}
