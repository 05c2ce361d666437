import { Helpline } from '../islands/invitations/helpline.tsx';
import Question from '../islands/invitee-response.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './invited.module.css';
import { Footer } from './parts/footer.tsx';
import { NoScript } from './parts/no-script.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { Backdrop } from './scene/city-map.tsx';

/** A harmless page to be seen with. */
const exitUrl = 'https://www.wikipedia.org/';

/** One shell for all invitations: the code stays in the URL's fragment, which no server sees. */
export function Invited({ page, t, text }: ScreenProps) {
  const { place, place_near, credit, open_maps, tiles_credit } = text['invite-panel'];
  const map = { place, place_near, credit, open_maps, tiles_credit };
  const { app, app_live, app_both } = text['app-handoff'];
  const live = `${app}: ${app_live} · ${app_both}`;
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
        <NoScript text={t('invited.script')}>
          <Helpline text={text['invitee-response']} help={page.helpline} />
        </NoScript>
        <Island
          of={Question}
          when="load"
          text={{
            ...text['invitee-response'],
            ...map,
            live,
          }}
          title={t('invited.title')}
          lead={t('invited.lead')}
          language={page.language}
          help={page.helpline}
          stores={page.stores}
          // Google would learn who opens this page.
          streetSource={page.streetSource === 'tiles' ? 'tiles' : null}
        />
        <div className={`stack gap-16 ${styles.foot}`}>
          <p className="note">
            {t('invited.who', { brand: page.brand, seller: page.checkout.seller })}
          </p>
          <Footer page={page} t={t} />
        </div>
      </div>
    </>
  );
}
