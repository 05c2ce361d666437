import { ContinueButton } from '../islands/ui/continue-button.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './features.module.css';
import { Benefits } from './parts/benefits.tsx';
import { Claims } from './parts/claims.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { SmallPicture } from './scene/small-picture.tsx';

const features = [
  ['live', 'pin'],
  ['history', 'clock'],
  ['places', 'bell'],
  ['checkin', 'consent'],
  ['sos', 'alert'],
  ['groups', 'people'],
] as const;

const extras = [
  ['chat', 'chat'],
  ['quiet', 'quiet'],
] as const;

export function Features({ page, t }: ScreenProps) {
  const toBenefit = ([feature, icon]: (typeof features | typeof extras)[number]) => ({
    icon,
    title: t(`features.${feature}.title`),
    text: t(`features.${feature}.text`),
  });
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
      <div className={styles.picture}>
        <SmallPicture t={t} of="agreed" />
      </div>
      <Benefits items={features.map(toBenefit)} />
      <section className="stack gap-16 line-above">
        <h2 className="title">{t('features.extras')}</h2>
        <Benefits items={extras.map(toBenefit)} />
      </section>
    </Layout>
  );
}
