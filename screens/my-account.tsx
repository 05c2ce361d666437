import Invitation from '../islands/invite-panel.tsx';
import MyPurchases from '../islands/my-account.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import styles from './my-account.module.css';
import { Frame } from './parts/layout.tsx';
import { NeedsScript } from './parts/no-script.tsx';
import { Headline } from './parts/page-title.tsx';

type Props = ScreenProps & { shows: 'manage' | 'cancel' };

/** What an account bought, or the way out of it: a shell, which only its owner's browser fills. */
export function MyAccount({ page, t, text, shows }: Props) {
  return (
    <Frame page={page} t={t} scene="app" band={false}>
      <Headline title={t(`${shows}.title`)} lead={t(`${shows}.lead`)} />
      <NeedsScript text={t(`${shows}.script`)} />
      <div className={styles.account}>
        <Island
          of={MyPurchases}
          when="load"
          text={text['my-purchases']}
          language={page.language}
          shows={shows}
        />
        {shows === 'manage' && (
          <Island of={Invitation} when="load" text={text.invitation} language={page.language} />
        )}
      </div>
    </Frame>
  );
}
