import styles from './app-stores.module.css';

type Props = { href: string; small: string; name: string };

export function StoreBadge({ href, small, name }: Props) {
  return (
    <a className={`row gap-12 ${styles.badge}`} href={href} rel="noreferrer">
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <path
          d="M12 4v11m-5-5 5 5 5-5M5 20h14"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className="stack">
        <span className={styles.small}>{small}</span>{' '}
        <span className={`strong ${styles.name}`}>{name}</span>
      </span>
    </a>
  );
}
