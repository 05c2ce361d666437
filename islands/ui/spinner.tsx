import styles from './spinner.module.css';

/** Turns while something is under way; the words beside it say what. */
export function Spinner({ large = false }: { large?: boolean }) {
  return <span className={large ? `${styles.ring} ${styles.large}` : styles.ring} aria-hidden />;
}
