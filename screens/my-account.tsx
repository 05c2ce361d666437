import { cancelText, withoutCancelText } from '../islands/account/cancel-text.ts';
import MyAccount from '../islands/my-account.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './my-account.module.css';
import { inviteWords } from './parts/invite-words.ts';
import { Layout } from './parts/layout.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { SmallPicture } from './scene/small-picture.tsx';

type Props = ScreenProps & { mode: 'manage' | 'cancel' };

/** A page shell for the account's purchases or the cancellation flow; the owner's browser fills it in. */
export function MyAccountScreen({ page, t, text, mode }: Props) {
  const unused = page.market.orderButton === 'order' ? { confirm: '' } : { resume_confirm: '' };
  return (
    <Layout page={page} t={t} scene={mode === 'cancel' ? 'days' : 'account'} band={false} anchored>
      {mode === 'manage' ? (
        <PageTitle
          title={t('manage.title')}
          later={text['invite-panel'].invite}
          lead={t('manage.lead')}
          laterLead={text['invite-panel'].lead}
        />
      ) : (
        <PageTitle
          title={t('cancel.title')}
          later={t('cancel.done')}
          lead={t('cancel.lead')}
          laterLead={text['my-account'].done}
        />
      )}
      <NoScript text={t(`${mode}.script`)} />
      <div className={`stack gap-24 ${styles.account} ${styles[mode]}`} data-need="signup.userId">
        <Island
          of={MyAccount}
          when="load"
          text={{ ...withoutCancelText(text['my-account']), ...unused }}
          cancel={mode === 'cancel' ? cancelText(text['my-account']) : undefined}
          invite={mode === 'manage' ? inviteWords({ page, text }, false) : undefined}
          language={page.language}
          orderButton={page.market.orderButton}
          streetSource={page.streetSource}
          mode={mode}
        />
      </div>
      <div className={styles.picture}>
        <SmallPicture t={t} of={mode === 'cancel' ? 'mail' : 'plans'} />
      </div>
    </Layout>
  );
}
