import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import { $signup } from '../stores/signup.ts';
import { $manualCode, loadManualCode } from './deeplink.ts';
import styles from './manual-code.module.css';

const steps = ['code_get', 'code_choose', 'code_enter'] as const;

/** Instructions for signing in to the app by typing a code. Loads the code when shown. */
export function ManualCode({
  text,
}: {
  text: Pick<
    IslandText['app-handoff'],
    (`code_${string}` & keyof IslandText['app-handoff']) | 'account'
  >;
}) {
  const code = useStore($manualCode, { ssr: 'initial' });
  const { email } = useStore($signup, { keys: ['email'], ssr: 'initial' });
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    loadManualCode().then((loaded) => setFailed(!loaded));
  }, []);
  return (
    <div className="stack gap-12">
      <ol className={`stack gap-4 ${styles.steps}`}>
        {steps.map((step) => (
          <li key={step}>{text[step]}</li>
        ))}
      </ol>
      <div className="notice padded stack gap-4">
        <p className={`row spread wrap note ${styles.row}`}>
          <span>{text.account}</span>
          <bdi className={`break ${styles.email}`} dir="ltr">
            {email}
          </bdi>
        </p>
        <p className={`row spread wrap note ${styles.row}`}>
          <span>{text.code_label}</span>
          <span className={styles.code} dir="ltr">
            {code}
          </span>
        </p>
      </div>
      <p className={`note ${styles.note}`} role={failed ? 'alert' : undefined}>
        {failed ? text.code_failed : text.code_note}
      </p>
    </div>
  );
}
