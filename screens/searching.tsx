import { Island } from '../islands/runtime/hydration/island.tsx';
import SearchProgress from '../islands/search-progress.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { ExampleDay } from './parts/example-day.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { MapTile } from './scene/map-tile.tsx';
import styles from './searching.module.css';

type Props = ScreenProps & {
  /** `line`: steps under a bar; `ring`: a large ring on a map; `small`: a small ring. */
  meter: 'line' | 'ring' | 'small';
  /** Whether an example day of place alerts follows. */
  alerts: boolean;
};

/** Looks up what a number alone reveals. */
export function Searching({ page, t, text, meter, alerts }: Props) {
  return (
    <Layout
      page={page}
      t={t}
      scene="ring"
      band={false}
      more={alerts && <ExampleDay page={page} t={t} />}
    >
      <PageTitle
        title={t('searching.title')}
        later={t('number.checked')}
        lead={t(`searching.${meter}.lead`)}
      />
      <div className={styles.search}>
        {meter === 'ring' && <MapTile />}
        <Island
          of={SearchProgress}
          when="load"
          text={text['search-progress']}
          action={page.path}
          meter={meter}
        />
      </div>
    </Layout>
  );
}
