import styles from './loading-overlay.module.css';
import { Spinner } from './spinner.tsx';

type Props = {
  /** Whether it is shown at all. */
  enabled: boolean;
  message?: string;
};

/** Covers the page while something is under way that must not be disturbed. */
export function LoadingOverlay({ enabled, message }: Props) {
  return (
    <div className={enabled ? styles.overlay : styles.idle} role="status">
      {enabled && (
        <div className={styles.box}>
          <Spinner large />
          {message && <p className={styles.message}>{message}</p>}
        </div>
      )}
    </div>
  );
}
