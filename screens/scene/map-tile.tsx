import { City } from './city.tsx';
import styles from './map-tile.module.css';

/** A decorative map section, 232 px high, behind other content. */
export function MapTile() {
  return (
    <svg
      className={styles.tile}
      viewBox="150 250 343 232"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <City id="tile" />
    </svg>
  );
}
