import styles from './loading-screen.module.css';

/** Fills the whole screen while there is nothing to show yet but the wait. */
export function LoadingScreen({ message }: { message: string }) {
  return (
    <div className={styles.screen} role="status" data-loading-screen="">
      <span className={styles.ring} aria-hidden="true" />
      <p className={styles.message}>{message}</p>
    </div>
  );
}
