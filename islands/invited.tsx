import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Page } from '../worker/funnel/page.ts';
import styles from './invited.module.css';
import { InvitedView } from './parts/invited-view.tsx';
import { followHidden } from './runtime/hidden-code.ts';
import { watchExit } from './runtime/quick-exit.ts';
import { useWake } from './runtime/use-wake.ts';
import { $invited, accept, block, decline, openInvitation, stop } from './stores/invited.ts';

interface Props {
  text: IslandText['invited'];
  /** BCP 47. */
  language: string;
  /** The country's line for people under pressure. */
  help: Page['help'];
}

/** Who asks, for what and how long: a yes and a no of equal weight, and the way out of a yes. */
export default function Invited({ text, language, help }: Props) {
  const now = useStore($invited, { ssr: 'initial' });
  const [blocking, setBlocking] = useState<object | null>(null);
  const answered = useRef(false);
  // What answers take away had the focus; what takes their place is read out.
  const heading = useCallback((title: HTMLElement | null) => {
    if (answered.current) title?.focus();
  }, []);
  useWake(() => {
    const endExit = watchExit();
    const endCodes = followHidden((code) => openInvitation(code));
    return () => {
      endExit();
      endCodes();
    };
  });
  const acts = {
    accept,
    decline,
    stop,
    block: () => setBlocking(now.question),
    block_only: () => block({ report: false, everyone: false }),
    everyone: () => block({ report: false, everyone: true }),
    report: () => block({ report: true, everyone: false }),
    back: () => setBlocking(null),
  };
  return (
    <div className={styles.invited}>
      <InvitedView
        text={text}
        language={language}
        help={help}
        now={now}
        blocking={!!blocking && blocking === now.question}
        onHeading={heading}
        onAct={(act) => {
          answered.current = true;
          acts[act]();
        }}
        onRetry={() => openInvitation()}
      />
    </div>
  );
}
