import AppHandoff from '../islands/app-handoff.tsx';
import { AppStores } from '../islands/app-link/app-stores.tsx';
import InvitePanel from '../islands/invite-panel.tsx';
import ManualCode from '../islands/manual-code.tsx';
import OwnedExtras from '../islands/owned-extras.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import SignInAgain from '../islands/sign-in-again.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { Layout, needs } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { Steps } from './parts/steps.tsx';
import styles from './success.module.css';

const steps = ['get', 'choose', 'enter'] as const;

/** How to open the app: already signed in, or by a code. */
export function Success({ page, t, text }: ScreenProps) {
  const manual = (
    <section className="stack gap-20">
      <h2>{t('success.manual.title')}</h2>
      {(page.stores.apple || page.stores.google) && (
        <AppStores text={text['open-app']} stores={page.stores} platform="desktop" />
      )}
      <Steps steps={steps.map((step) => ({ title: t(`success.manual.${step}`) }))} />
      <div className="notice padded note stack gap-8">
        <p className={`beside spread wrap ${styles.row}`}>
          {t('success.account')}
          <span className={styles.email} data-fill="signup.email" dir="ltr" />
        </p>
        <Island of={ManualCode} when="load" text={text['manual-code']} />
      </div>
    </section>
  );
  const more = (
    <>
      <Island
        of={InvitePanel}
        when="load"
        text={text['invite-panel']}
        language={page.language}
        refunds={page.legal.refunds}
      />
      {manual}
      <Island of={OwnedExtras} when="load" text={text['owned-extras']} />
    </>
  );
  return (
    <Layout page={page} t={t} scene="app" need="purchase" more={more}>
      <div>
        <PageTitle title={t('success.title')} />
        <p className={`lead ${styles.tap}`}>{t('success.tap')}</p>
        <p className={`lead ${styles.scan}`}>{t('success.scan')}</p>
      </div>
      <div className={styles.again} data-need={needs.account}>
        <Island of={SignInAgain} when="visible" text={text['sign-in-again']} />
      </div>
      <Island of={AppHandoff} when="load" text={text['app-handoff']} />
    </Layout>
  );
}
