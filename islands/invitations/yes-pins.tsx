import { readItem, writeItem } from '../runtime/storage/state-storage.ts';
import styles from './yes-pins.module.css';

const key = 'funnel:1:yes';

/** Whether this tab has not shown the yes yet; it is shown once. */
function isFirst(id: string): boolean {
  if (readItem('sessionStorage', key) === id) return false;
  writeItem('sessionStorage', key, id);
  return true;
}

const pin = 'M16 38C10 29 4 23 4 15a12 12 0 0 1 24 0c0 8-6 14-12 23z';

export function YesPins({ id }: { id: string }) {
  return (
    <svg
      className={styles.pins}
      viewBox="0 0 160 44"
      aria-hidden="true"
      data-first={isFirst(id) ? '' : undefined}
    >
      <ellipse cx="80" cy="40" rx="34" ry="3" fill="var(--line)" />
      <g className={styles.you}>
        <path d={pin} transform="translate(50)" fill="var(--brand)" />
        <circle cx="66" cy="15" r="5" fill="var(--surface)" />
      </g>
      <g className={styles.them}>
        <path d={pin} transform="translate(78)" fill="var(--other)" />
        <circle cx="94" cy="15" r="5" fill="var(--surface)" />
      </g>
    </svg>
  );
}
