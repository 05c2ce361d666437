import { timeOfDay } from '../../locales/format/date-text.ts';
import type { ScreenProps } from '../../worker/page-types.ts';
import { alertTimes } from '../scene/alerts.tsx';
import styles from './example-day.module.css';
import { Icon } from './icon.tsx';

const notes = [
  ['school', 'school'],
  ['way', 'pin'],
  ['home', 'home'],
] as const;

export function ExampleDay({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <section className="stack gap-16">
      <h2>{t('alerts.title')}</h2>
      <ol className="stack gap-8">
        {notes.map(([note, icon]) => (
          <li key={note} className={styles.note}>
            <span className={`tile ${styles.sign}`}>
              <Icon name={icon} />
            </span>
            <span className={styles.words}>
              <span className={styles.title}>{t(`alerts.${note}.title`)}</span>
              <span className={styles.text}>{t(`alerts.${note}.text`)}</span>
            </span>
            <span className={styles.time}>{timeOfDay(alertTimes[note], page.language)}</span>
          </li>
        ))}
      </ol>
      <p className={styles.text}>{t('alerts.note')}</p>
    </section>
  );
}
