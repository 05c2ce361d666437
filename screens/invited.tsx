import { Helpline } from '../islands/invitations/helpline.tsx';
import Question from '../islands/invitee-response.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './invited.module.css';
import { Footer } from './parts/footer.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { Backdrop } from './scene/city-map.tsx';

/** A harmless page to be seen with. */
const exitUrl = 'https://www.wikipedia.org/';

/** One shell for all invitations: the code stays in the URL's fragment, which no server sees. */
export function Invited({ page, t, text }: ScreenProps) {
  return (
    <>
      <Backdrop />
      <div className={`stack gap-24 ${styles.page}`}>
        <div className={`row wrap ${styles.top}`}>
          <TopBar page={page} t={t} />
          <a className={`strong ${styles.leave}`} href={exitUrl} rel="noreferrer" data-leave="">
            {t('invited.leave')}
          </a>
        </div>
        <PageTitle title={t('invited.title')} lead={t('invited.lead')} />
        <p className={`note ${styles.who}`}>
          {t('invited.who', { brand: page.brand, seller: page.checkout.seller })}
        </p>
        <NoScript text={t('invited.script')}>
          <Helpline text={text['invitee-response']} help={page.helpline} />
        </NoScript>
        <Island
          of={Question}
          when="load"
          text={text['invitee-response']}
          language={page.language}
          help={page.helpline}
          stores={page.stores}
        />
        <div className={styles.foot}>
          <Footer page={page} t={t} />
        </div>
      </div>
    </>
  );
}
