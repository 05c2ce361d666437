import QuestionsForm from '../islands/questions-form.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { drawings } from './parts/icon.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import styles from './questions.module.css';
import { MapTile } from './scene/city-map.tsx';

const signs = {
  child: drawings.school,
  parent: drawings.home,
  partner: drawings.heart,
  friend: drawings.chat,
  arrival: drawings.pin,
  meeting: drawings.people,
  outing: drawings.sun,
  everyday: drawings.confidential,
};

/** Asks about the other person and what matters; the answers shape later screens. */
export function Questions({ page, t, text }: ScreenProps) {
  return (
    <Layout page={page} t={t} scene="number" band={false}>
      <PageTitle title={t('questions.title')} lead={t('questions.lead')} />
      {page.exampleMessages && (
        <figure className={styles.picture}>
          <MapTile />
          <div className={`stack gap-8 ${styles.message}`}>
            <figcaption className="note">{t('invitation.sms')}</figcaption>
            <p className={`stack ${styles.text}`}>
              <span className={styles.hour}>{page.exampleMessages.hour}</span>
              <span className={styles.day}>{page.exampleMessages.day}</span>
            </p>
          </div>
        </figure>
      )}
      <Island
        of={QuestionsForm}
        when="load"
        text={text['questions-form']}
        action={page.path}
        signs={signs}
      />
    </Layout>
  );
}
