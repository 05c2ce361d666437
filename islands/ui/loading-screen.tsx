import styles from './loading-screen.module.css';
import { Spinner } from './spinner.tsx';

/** Covers the screen until there is something to show. */
export function LoadingScreen({ message }: { message: string }) {
  return (
    <div className={styles.screen} role="status" data-loading-screen="">
      <Spinner large />
      <p className={`lead ${styles.message}`}>{message}</p>
    </div>
  );
}
