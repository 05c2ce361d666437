import type { Text } from '../../locales/index.ts';
import { Icon } from './icon.tsx';
import styles from './plan-features.module.css';

const features = ['live', 'history', 'places', 'checkin', 'sos', 'groups'] as const;

export function PlanFeatures({ t }: { t: Text }) {
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('paywall.combo.title')}</h2>
      <ul className={styles.list}>
        {features.map((feature) => (
          <li key={feature} className={styles.feature}>
            <Icon name="consent" size={16} />
            {t(`features.${feature}.title`)}
          </li>
        ))}
      </ul>
    </section>
  );
}
