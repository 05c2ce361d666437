import type { Theme } from '../../worker/page-types.ts';
import styles from './logo.module.css';

const names: Record<Theme, string> = {
  geozilla: 'Geozilla',
  'family-locator': 'Family Locator',
  found: 'Found',
  brainbloom: 'Brainbloom',
};

export function Logo({ theme }: { theme: Theme }) {
  return (
    <span className={styles.logo}>
      <svg width="24" height="28" viewBox="0 0 24 28" aria-hidden="true">
        <path
          fill="var(--brand)"
          d="M12 28C8 22.5 0 19.5 0 12a12 12 0 0 1 24 0c0 7.5-8 10.5-12 16z"
        />
        <circle cx="9" cy="12" r="4.5" fill="var(--on-brand)" />
        <circle cx="15" cy="12" r="4.5" fill="var(--on-brand)" fillOpacity=".55" />
      </svg>
      {names[theme]}
    </span>
  );
}
