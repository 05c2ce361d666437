import AppHandoff from '../islands/app-handoff.tsx';
import InvitePanel from '../islands/invite-panel.tsx';
import OwnedExtras from '../islands/owned-extras.tsx';
import ProvisionalNote from '../islands/provisional-note.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import SignInAgain from '../islands/sign-in-again.tsx';
import { Tick } from '../islands/ui/tick.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { BoughtPlan } from './parts/bought-plan.tsx';
import { inviteWords, withoutColumns } from './parts/invite-words.ts';
import { Layout, needs } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import styles from './success.module.css';

/** What was bought, and where the receipt is. */
function Bought({ t, text }: Pick<ScreenProps, 't' | 'text'>) {
  const [before, after] = t('success.receipt', { email: '{{email}}' }).split('{{email}}');
  return (
    <div className={`stack gap-12 ${styles.bought}`}>
      <BoughtPlan text={text} className="note" />
      <p className="note" data-need="signup.email" data-missing="">
        {before}
        <bdi className="break" data-fill="signup.email" dir="ltr" />
        {after}
      </p>
    </div>
  );
}

/** The pins of both people, which meet once when the answer is a yes; then a tick. */
function Met() {
  return (
    <span className={styles.met} aria-hidden="true">
      <i />
      <i />
      <Tick />
    </span>
  );
}

/** The remaining steps after the payment, send the invitation, get the app. */
export function Success({ page, t, text }: ScreenProps) {
  // The sentences for unset store URLs are never shown here.
  const { apple_small, google_small } = text['open-app'];
  const app = withoutColumns(text['app-handoff']);
  const badges = {
    apple_small,
    google_small,
    no_store_apple: '',
    no_store_google: '',
    no_stores: '',
  };
  return (
    <Layout
      page={page}
      t={t}
      scene="asked"
      band={false}
      anchored
      need="purchase"
      missing={{ offer: null, picture: null }}
    >
      <div className="stack gap-8">
        <p className={`row gap-8 small strong ${styles.active}`}>
          <Tick />
          {t('success.active')}
        </p>
        <PageTitle title={t('success.title')} mark={<Met />} lead={t('success.lead')} />
      </div>
      <div className={styles.again} data-need={needs.account}>
        <Island of={SignInAgain} when="visible" text={text['sign-in-again']} />
      </div>
      <div className={`stack gap-16 top ${styles.steps}`}>
        <Island
          of={InvitePanel}
          when="load"
          text={inviteWords({ page, text }, true)}
          language={page.language}
          refunds={page.legal.refunds}
          streetSource={page.streetSource}
        />
        <Island of={AppHandoff} when="load" text={app} badges={badges} stores={page.stores} />
        <Island of={ProvisionalNote} when="load" text={text['bank-form'].policy} />
        <Island of={OwnedExtras} when="load" text={text['owned-extras']} />
        <Bought t={t} text={text} />
      </div>
    </Layout>
  );
}
