import { Island } from '../islands/runtime/hydration/island.tsx';
import SearchProgress from '../islands/search-progress.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { AlertsDay } from './parts/example-day.tsx';
import { Frame } from './parts/layout.tsx';
import { Headline } from './parts/page-title.tsx';
import { MapTile } from './scene/map-tile.tsx';
import styles from './searching.module.css';

type Props = ScreenProps & {
  /** `line`: steps under a line; `ring`: the large ring on a map; `small`: a small ring. */
  meter: 'line' | 'ring' | 'small';
  /** Whether a day with place alerts follows. */
  alerts: boolean;
};

/** What can be known from the number alone, while the map breathes. */
export function Searching({ page, t, text, meter, alerts }: Props) {
  return (
    <Frame
      page={page}
      t={t}
      scene="ring"
      band={false}
      more={alerts && <AlertsDay page={page} t={t} />}
    >
      <Headline
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
    </Frame>
  );
}
