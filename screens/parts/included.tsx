import { sentencesOf } from '../../locales/format/sentences.ts';
import type { Text } from '../../locales/index.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './included.module.css';

/** What every plan gives, by the sentences of the promise: with a link, and in the app. */
export function Included({ t }: { t: Text }) {
  const [byLink = '', ...inApp] = sentencesOf(t('scene.promise'));
  const features: Record<'link' | 'app', [IconName, string][]> = {
    link: [
      ['chat', t('paywall.combo.text')],
      ['phone', t('paywall.combo.phones')],
    ],
    app: [
      ['pin', t('features.live.title')],
      ['clock', t('features.history.title')],
      ['bell', t('features.places.title')],
      ['alert', t('features.sos.title')],
    ],
  };
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('paywall.combo.title')}</h2>
      <div className={`list ${styles.levels}`}>
        {(['link', 'app'] as const).map((level) => (
          <div key={level}>
            <p className="small strong">{level === 'link' ? byLink : inApp.join(' ')}</p>
            <ul className="stack gap-8">
              {features[level].map(([icon, feature]) => (
                <li key={icon} className="small beside gap-8">
                  <Icon name={icon} />
                  <span className="break">{feature}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
