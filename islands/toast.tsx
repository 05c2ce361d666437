import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { IslandText } from '../locales/index.ts';
import { $error, setError } from './stores/error.ts';
import styles from './toast.module.css';
import { LineIcon } from './ui/line-icon.tsx';

const shownMs = 3000;

export default function Toast({ text }: { text: IslandText['toast'] }) {
  const error = useStore($error, { ssr: 'initial' });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!error.show) return;
    const open = box.current;
    open?.showPopover?.();
    const timer = setTimeout(() => setError(false), shownMs);
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
        <LineIcon path="M6 6 18 18M18 6 6 18" />
      </button>
    </div>
  );
}
