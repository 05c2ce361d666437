import styles from './backdrop.module.css';
import { City } from './city.tsx';

/** The city that all scenes reuse; tablets show it around the card. */
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
