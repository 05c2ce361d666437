import { ContinueLink } from '../islands/parts/continue-link.tsx';
import type { ScreenProps } from '../worker/funnel/page.ts';
import styles from './open-app.module.css';
import { Frame } from './parts/frame.tsx';
import { Headline } from './parts/headline.tsx';

/**
 * Where a handed-over link leads on a device without the app: a phone with it opens the app instead
 * of this page. The code stays in the address's fragment, which no server sees.
 */
export function OpenApp({ page, t }: Omit<ScreenProps, 'text'>) {
  const { apple, google } = page.stores;
  return (
    <Frame page={page} t={t} scene="app">
      <Headline title={t('open.title')} lead={t(apple || google ? 'open.lead' : 'open.soon')} />
      <div className={styles.stores}>
        {apple && <ContinueLink href={apple} label={t('open.apple')} />}
        {google && <ContinueLink href={google} id="continue-google" label={t('open.google')} />}
      </div>
    </Frame>
  );
}
