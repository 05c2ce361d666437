import { isValidElement, type ReactElement } from 'react';
import styles from './review-card.module.css';

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

export interface CustomerReview {
  name: string;
  text: string;
  /** Address of a 40 px picture. */
  img?: string;
  mark?: string;
}

export type ReviewItem = CustomerReview | string | ReactElement;

export function ReviewCard({ item }: { item: ReviewItem }) {
  if (isValidElement(item)) return item;
  const { name, text, img, mark } =
    typeof item === 'string' ? ({ text: item } as CustomerReview) : item;
  return (
    <figure className={`card padded spread ${styles.card}`}>
      <blockquote className={styles.text}>{text}</blockquote>
      {name && (
        <figcaption className={`small row wrap ${styles.who}`}>
          {img ? (
            <img
              className={`tile ${styles.face}`}
              src={img}
              width={40}
              height={40}
              alt=""
              loading="lazy"
            />
          ) : (
            <span className={`tile ${styles.face}`} aria-hidden="true">
              {name.slice(0, 1)}
            </span>
          )}
          <span className="strong grow">{name}</span>
          {mark && <span className="badge">{mark}</span>}
        </figcaption>
      )}
    </figure>
  );
}
