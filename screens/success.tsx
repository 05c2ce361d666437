import AppHandoff from '../islands/app-handoff.tsx';
import InvitePanel from '../islands/invite-panel.tsx';
import OwnedExtras from '../islands/owned-extras.tsx';
import ProvisionalNote from '../islands/provisional-note.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import SignInAgain from '../islands/sign-in-again.tsx';
import { Tick } from '../islands/ui/tick.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { inviteWords } from './parts/invite-words.ts';
import { Layout, needs } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { StoredLine } from './parts/stored-line.tsx';
import styles from './success.module.css';

function Bought({ t, text }: Pick<ScreenProps, 't' | 'text'>) {
  return (
    <p className={`lead ${styles.bought}`}>
      <span data-need="checkout.bought" data-missing="">
        <bdi data-fill="checkout.bought" />
        <br />
        {`${text['my-account'].next}: `}
        <bdi data-fill="checkout.renews" />
      </span>
      <span>{t('success.lead')}</span>
    </p>
  );
}

/** The remaining steps after the payment, as a checklist of two: send the invitation, get the app. */
export function Success({ page, t, text }: ScreenProps) {
  // The sentences for unset store URLs are never shown here.
  const { apple_small, google_small } = text['open-app'];
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
      scene="number"
      band={false}
      anchored
      need="purchase"
      missing={{ offer: null, picture: null }}
    >
      <PageTitle title={t('success.title')} mark={<Tick />}>
        <Bought t={t} text={text} />
      </PageTitle>
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
        <Island
          of={AppHandoff}
          when="load"
          text={text['app-handoff']}
          badges={badges}
          stores={page.stores}
        />
        <Island of={ProvisionalNote} when="load" text={text['bank-form'].policy} />
        <Island of={OwnedExtras} when="load" text={text['owned-extras']} />
        <StoredLine
          text={t('success.receipt', { email: '{{value}}' })}
          field="signup.email"
          small
        />
      </div>
    </Layout>
  );
}
