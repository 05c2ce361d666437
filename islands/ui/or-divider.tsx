import styles from './or-divider.module.css';

type Props = {
  children: string;
  /** Whether it only keeps its place, where there is no second way yet. */
  hidden?: boolean;
};

/** The line between two ways to do the same. */
export function OrDivider({ children, hidden = false }: Props) {
  return (
    <p className={hidden ? `${styles.or} ${styles.hidden}` : styles.or} aria-hidden={hidden}>
      {children}
    </p>
  );
}
