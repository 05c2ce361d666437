import styles from './disc.module.css';

export function Tick() {
  return (
    <span className={`${styles.disc} ${styles.tick}`}>
      <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
        <path
          d="M4 12.5 9.5 18 20 7"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  );
}
