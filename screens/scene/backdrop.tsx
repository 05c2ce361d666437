import styles from './backdrop.module.css';
import { City } from './city.tsx';

/** The city that every picture of the page is made of; tablets see it around the page's card. */
export function Backdrop() {
  return (
    <svg
      className={styles.backdrop}
      viewBox="0 0 640 900"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <City />
    </svg>
  );
}
