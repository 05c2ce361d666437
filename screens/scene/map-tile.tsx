import { City } from './city.tsx';
import styles from './map-tile.module.css';

/** A piece of the map, 232 px high, behind what is drawn over it. Decoration only. */
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
