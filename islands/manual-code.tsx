import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { $manualCode, loadManualCode } from './app-link/deeplink.ts';
import styles from './manual-code.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $checkout } from './stores/checkout.ts';

/** The code for signing in by hand, in a box of reserved size. */
export default function ManualCode({ text }: { text: IslandText['manual-code'] }) {
  const code = useStore($manualCode, { ssr: 'initial' });
  const [failed, setFailed] = useState(false);
  useOnHydrate(() => {
    if (!$checkout.get().isSuccess) return;
    loadManualCode().then((loaded) => setFailed(!loaded));
  });
  return (
    <div className="stack gap-4">
      <p className={`row spread gap-16 ${styles.row}`}>
        <span>{text.label}</span>
        <span className={styles.code} dir="ltr">
          {code}
        </span>
      </p>
      <p className={styles.note} role={failed ? 'alert' : undefined}>
        {failed ? text.failed : text.note}
      </p>
    </div>
  );
}
