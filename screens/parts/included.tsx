import type { Text } from '../../locales/index.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './included.module.css';

const features = [
  ['pin', 'live'],
  ['clock', 'history'],
  ['bell', 'places'],
  ['alert', 'sos'],
] as const;

const promises = [
  ['phone', 'phones'],
  ['chat', 'text'],
  ['stop', 'end'],
] as const;

export function Included({ t }: { t: Text }) {
  const line = (icon: IconName, text: string, size: string | undefined = '') => (
    <li key={icon} className={`small beside gap-8 ${size}`}>
      <Icon name={icon} />
      <span className="break">{text}</span>
    </li>
  );
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('paywall.combo.title')}</h2>
      <ul className={styles.features}>
        {features.map(([icon, feature]) => line(icon, t(`features.${feature}.title`)))}
        {promises.map(([icon, promise]) => line(icon, t(`paywall.combo.${promise}`), styles.wide))}
      </ul>
    </section>
  );
}
