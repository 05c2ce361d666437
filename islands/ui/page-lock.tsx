import styles from './page-lock.module.css';

/** Nothing can be tapped during work that must not be interrupted; its button shows that it runs. */
export const PageLock = ({ enabled }: { enabled: boolean }) =>
  enabled && <div className={styles.lock} />;
