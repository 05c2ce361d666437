import styles from './or-divider.module.css';

type Props = {
  children: string;
  /** Only reserves its space. */
  hidden?: boolean;
};

export function OrDivider({ children, hidden = false }: Props) {
  return (
    <p className={hidden ? `${styles.or} ${styles.hidden}` : styles.or} aria-hidden={hidden}>
      {children}
    </p>
  );
}
