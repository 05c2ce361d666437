import styles from './spinner.module.css';

export function Spinner({ large = false }: { large?: boolean }) {
  return <span className={large ? `${styles.ring} ${styles.large}` : styles.ring} aria-hidden />;
}
