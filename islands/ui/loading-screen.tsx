import styles from './loading-screen.module.css';
import { Spinner } from './spinner.tsx';

/** Fills the whole screen while there is nothing to show yet but the wait. */
export function LoadingScreen({ message }: { message: string }) {
  return (
    <div className={styles.screen} role="status" data-loading-screen="">
      <Spinner large />
      <p className={styles.message}>{message}</p>
    </div>
  );
}
