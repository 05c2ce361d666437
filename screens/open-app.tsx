import LinkIntoApp from '../islands/open-app.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { Frame } from './parts/layout.tsx';
import { NeedsScript } from './parts/no-script.tsx';
import { Headline } from './parts/page-title.tsx';

/**
 * Where a link into the app leads on a device without the app: a phone with it opens the app instead
 * of this page. The code stays in the address's fragment, which no server sees.
 */
export function OpenApp({ page, t, text }: ScreenProps) {
  return (
    <Frame page={page} t={t} scene="app" band={false}>
      <Headline title={t('open.title')} lead={t('open.lead')} />
      <NeedsScript text={t('open.script')} />
      <Island of={LinkIntoApp} when="load" text={text['link-into-app']} stores={page.stores} />
    </Frame>
  );
}
