import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { IslandText } from '../locales/index.ts';
import { $error, setError } from './stores/error.ts';
import styles from './toast.module.css';

const shown = 3000;

/** An error message above everything; closes after 3 s or by its button. */
export default function Toast({ text }: { text: IslandText['toast'] }) {
  const error = useStore($error, { ssr: 'initial' });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!error.show) return;
    const open = box.current;
    open?.showPopover?.();
    const timer = setTimeout(() => setError(false), shown);
    return () => {
      clearTimeout(timer);
      open?.hidePopover?.();
    };
  }, [error]);
  return (
    <div
      ref={box}
      className={styles.toast}
      popover="manual"
      role="alert"
      data-open={error.show ? '' : undefined}
      data-late={text.late}
    >
      <p className={`grow shrink ${styles.message}`}>{error.message}</p>
      <button
        className={`icon-button ${styles.cross}`}
        type="button"
        aria-label={text.close}
        onClick={() => setError(false)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
    </div>
  );
}
