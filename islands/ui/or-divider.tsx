import styles from './or-divider.module.css';

type Props = {
  children: string;
  hidden?: boolean;
};

export function OrDivider({ children, hidden = false }: Props) {
  return (
    <p
      className={
        hidden ? `note row gap-12 ${styles.or} ${styles.hidden}` : `note row gap-12 ${styles.or}`
      }
      aria-hidden={hidden}
    >
      {children}
    </p>
  );
}
