import type { Text } from '../../locales/index.ts';
import { Icon } from './icon.tsx';
import styles from './number-located.module.css';

/** Without a number it shows the other true statement. */
export function NumberLocated({ t }: { t: Text }) {
  return (
    <p className={`callout row wrap ${styles.banner}`}>
      <Icon name="consent" />
      <span className={`strong ${styles.without}`}>{t('scene.nobody')}</span>
      <span className={`strong ${styles.with}`}>{t('number.checked')}</span>
      <span className={`soft tabular ${styles.place}`}>
        <bdi className={styles.number} data-fill="map.phone" dir="ltr" />
      </span>
    </p>
  );
}
