import { Island } from '../islands/runtime/hydration/island.tsx';
import SearchProgress from '../islands/search-progress.tsx';
import { timeOfDay } from '../locales/format/date-text.ts';
import type { PartProps, ScreenProps } from '../worker/rendering/page-types.ts';
import { Icon } from './parts/icon.tsx';
import { InvitationPreview } from './parts/invitation-preview.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { alertTimes } from './scene/app-pages.tsx';
import { MapTile } from './scene/city-map.tsx';
import styles from './searching.module.css';

type Props = ScreenProps & {
  /** `line`: joined steps; `ring`: a large ring on a map; `small`: a small ring. */
  meter: 'line' | 'ring' | 'small';
  /** Whether an example day of place alerts follows. */
  alerts: boolean;
};

const notes = [
  ['school', 'school'],
  ['way', 'pin'],
  ['home', 'home'],
] as const;

/** An example day of place alerts. */
function ExampleDay({ page, t }: PartProps<'language'>) {
  return (
    <section className="stack gap-16">
      <h2>{t('alerts.title')}</h2>
      <ol className={styles.day}>
        {notes.map(([note, icon]) => (
          <li key={note} className={`padded wrap ${styles.note}`}>
            <span className={`tile ${styles.sign}`}>
              <Icon name={icon} />
            </span>
            <span className={`stack gap-2 shrink ${styles.words}`}>
              <span className={`strong ${styles.title}`}>{t(`alerts.${note}.title`)}</span>
              <span className="note">{t(`alerts.${note}.text`)}</span>
            </span>
            <span className="note tabular">{timeOfDay(alertTimes[note], page.language)}</span>
          </li>
        ))}
      </ol>
      <p className="note">{t('alerts.note')}</p>
    </section>
  );
}

const longer = (one: string, other: string) => (other.length > one.length ? other : one);

/** Shows the facts that can be derived from a number alone. */
export function Searching({ page, t, text, meter, alerts }: Props) {
  const { label, ready, question, no_sms } = text['search-progress'];
  return (
    <Layout
      page={page}
      t={t}
      scene={alerts ? 'alerts' : 'ring'}
      caption={alerts ? t('alerts.note') : undefined}
      band={false}
      need="number"
      anchored
      more={
        <>
          {alerts && <ExampleDay page={page} t={t} />}
          <div className={styles.preview} data-need="map.byLink" data-missing="">
            <InvitationPreview page={page} t={t} text={text} />
          </div>
        </>
      }
    >
      <PageTitle
        title={t('searching.title')}
        later={[label, ready, question, no_sms].reduce(longer)}
        lead={t(`searching.${meter}.lead`)}
        laterLead={t('searching.next')}
      />
      <h2 className={`tabular ${styles.number}`}>
        <bdi className={styles.name} data-fill="map.name" />
        <bdi data-fill="map.phone" dir="ltr" />
      </h2>
      <div className={styles.search}>
        {meter === 'ring' && <MapTile />}
        <Island
          of={SearchProgress}
          when="load"
          text={text['search-progress']}
          action={page.path}
          meter={meter}
          map={!alerts}
        />
      </div>
    </Layout>
  );
}
