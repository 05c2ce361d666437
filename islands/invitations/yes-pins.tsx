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

/** Two pins that meet: the one moment of joy. Two pictures, because Chromium misplaces a moving part of one. */
export function YesPins({ id }: { id: string }) {
  return (
    <div className={styles.pins} data-first={isFirst(id) ? '' : undefined}>
      {['var(--brand)', 'var(--other)'].map((colour) => (
        <svg key={colour} viewBox="0 0 32 40" width="52" height="65" aria-hidden="true">
          <path d={pin} fill={colour} />
          <circle cx="16" cy="15" r="5" fill="var(--surface)" />
        </svg>
      ))}
    </div>
  );
}
