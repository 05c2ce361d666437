import type { Text } from '../../locales/index.ts';
import { Icon } from './icon.tsx';
import styles from './trust-labels.module.css';

const labels = ['consent', 'confidential', 'ssl'] as const;

export function TrustLabels({ t }: { t: Text }) {
  return (
    <ul className={styles.labels}>
      {labels.map((label) => (
        <li key={label} className={styles.label}>
          <Icon name={label} size={20} />
          {t(`common.trust.${label}`)}
        </li>
      ))}
    </ul>
  );
}
