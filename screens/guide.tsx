import GuideReader from '../islands/guide-reader.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import styles from './guide.module.css';
import { Footer } from './parts/footer.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { SmallPicture } from './scene/small-picture.tsx';

/** A shell; only the guide's buyers receive its text. */
export function Guide({ page, t, text }: ScreenProps) {
  return (
    <div className={`stack gap-16 ${styles.sheet}`}>
      <div className="not-printed">
        <TopBar page={page} t={t} />
      </div>
      <PageTitle title={t('guide.title')} />
      <div className={`not-printed ${styles.cover}`}>
        <SmallPicture t={t} of="guide" />
      </div>
      <NoScript text={t('guide.script')} />
      <Island of={GuideReader} when="load" text={text['guide-reader']} />
      <div className="not-printed">
        <Footer page={page} t={t} />
      </div>
    </div>
  );
}
