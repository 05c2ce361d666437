import { sentencesOf } from '../../locales/format/sentences.ts';
import type { Text } from '../../locales/index.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './included.module.css';

/** What every plan gives, by the sentences of the promise: with a link, and in the app. */
export function Included({ t }: { t: Text }) {
  const features: [IconName, string][][] = [
    [['chat', t('paywall.combo.text')]],
    [
      ['pin', t('features.live.title')],
      ['clock', t('features.history.title')],
      ['bell', t('features.places.title')],
      ['alert', t('features.sos.title')],
      ['phone', t('paywall.combo.phones')],
    ],
  ];
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('paywall.combo.title')}</h2>
      {sentencesOf(t('scene.promise')).map((level, at) => (
        <div key={level} className="stack gap-8">
          <h3 className="small strong">{level}</h3>
          <ul className={styles.features}>
            {features[at]?.map(([icon, feature]) => (
              <li key={icon} className="small beside gap-8">
                <Icon name={icon} />
                <span className="break">{feature}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
