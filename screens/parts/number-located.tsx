import type { Text } from '../../locales/index.ts';
import { Icon } from './icon.tsx';
import styles from './number-located.module.css';

type Props = { t: Text; first: string };

/** Without a number it leads to the step that asks for it. */
export function NumberLocated({ t, first }: Props) {
  return (
    <p className={`callout row wrap ${styles.banner}`}>
      <Icon name="consent" />
      <span className={`strong ${styles.without}`}>{t('number.none')}</span>
      <a className={`strong ${styles.enter}`} href={first} data-navigate="">
        {t('notice.number.action')}
      </a>
      <span className={`strong ${styles.with}`}>{t('number.checked')}</span>
      <span className={`soft tabular ${styles.place}`}>
        <bdi className={styles.number} data-fill="map.phone" dir="ltr" />
      </span>
    </p>
  );
}
