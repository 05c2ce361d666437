import { ContinueButton } from '../islands/ui/continue-button.tsx';
import type { Text } from '../locales/index.ts';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './features.module.css';
import { Claims } from './parts/claims.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { FeaturePicture } from './scene/feature-picture.tsx';

const features = ['live', 'places', 'history', 'checkin', 'sos', 'groups'] as const;
const extras = ['chat', 'quiet'] as const;

type GridProps = { t: Text; of: typeof features | typeof extras };

/** Each feature as the app shows it, with what it is for. */
const FeatureGrid = ({ t, of }: GridProps) => (
  <ul className={styles.grid}>
    {of.map((feature) => (
      <li key={feature} className="stack gap-8">
        <FeaturePicture t={t} of={feature} />
        <span className="stack gap-2 break">
          <span className="strong">{t(`features.${feature}.title`)}</span>
          <span className="note">{t(`features.${feature}.text`)}</span>
        </span>
      </li>
    ))}
  </ul>
);

export function Features({ page, t }: ScreenProps) {
  return (
    <Layout
      page={page}
      t={t}
      scene="app"
      band={false}
      more={<Claims page={page} t={t} />}
      bottom={
        <form method="post" action={page.path}>
          <ContinueButton label={t('common.continue')} />
        </form>
      }
    >
      <PageTitle title={t('features.title')} lead={t('features.lead')} />
      <FeatureGrid t={t} of={features} />
      <section className="stack gap-16 line-above">
        <h2 className="title">{t('features.extras')}</h2>
        <FeatureGrid t={t} of={extras} />
      </section>
    </Layout>
  );
}
