import { Island } from '../islands/runtime/island.tsx';
import SearchProgress from '../islands/search-progress.tsx';
import type { ScreenProps } from '../worker/funnel/page.ts';
import { Frame } from './parts/frame.tsx';
import { Headline } from './parts/headline.tsx';

/** What can be known from the number alone, while the map breathes. */
export function Searching({ page, t, text }: ScreenProps) {
  return (
    <Frame page={page} t={t} scene="ring">
      <Headline title={t('searching.title')} lead={t('searching.lead')} />
      <Island of={SearchProgress} when="load" text={text['search-progress']} action={page.path} />
    </Frame>
  );
}
