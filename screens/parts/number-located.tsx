import type { Text } from '../../locales/index.ts';
import { Icon } from './icon.tsx';
import styles from './number-located.module.css';

export function NumberLocated({ t }: { t: Text }) {
  return (
    <p className={`banner row wrap ${styles.banner}`}>
      <Icon name="consent" />
      <span className="strong">{t('number.checked')}</span>
      <span className={`soft tabular ${styles.place}`}>
        <bdi className={styles.number} data-fill="map.phone" dir="ltr" />
      </span>
    </p>
  );
}
