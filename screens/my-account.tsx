import Invitation from '../islands/invitation.tsx';
import MyPurchases from '../islands/my-purchases.tsx';
import { Island } from '../islands/runtime/island.tsx';
import type { ScreenProps } from '../worker/funnel/page.ts';
import styles from './my-account.module.css';
import { Frame } from './parts/frame.tsx';
import { Headline } from './parts/headline.tsx';
import { NeedsScript } from './parts/needs-script.tsx';

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
