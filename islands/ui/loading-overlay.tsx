import styles from './loading-overlay.module.css';
import { Spinner } from './spinner.tsx';

type Props = {
  enabled: boolean;
  message?: string;
};

/** Covers the page during work that must not be interrupted. */
export function LoadingOverlay({ enabled, message }: Props) {
  return (
    <div className={enabled ? styles.overlay : styles.idle} role="status">
      {enabled && (
        <div className={`stack gap-16 ${styles.box}`}>
          <Spinner large />
          {message && <p className={styles.message}>{message}</p>}
        </div>
      )}
    </div>
  );
}
