import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Page } from '../worker/page-types.ts';
import {
  $invitee,
  accept,
  block,
  decline,
  openInvitation,
  sendOptOutCode,
  stop,
  stopEveryone,
  typeNumberAgain,
} from './invitations/invitee-store.ts';
import { type BlockStep, InviteeView } from './invitations/invitee-view.tsx';
import { watchPrivateCode } from './invitations/private-code.ts';
import { watchQuickExit } from './invitations/quick-exit.ts';
import styles from './invitee-response.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';

interface Props {
  text: IslandText['invitee-response'];
  /** BCP 47. */
  language: string;
  /** The country's line for people under pressure. */
  help: Page['help'];
}

/** Who asks, for what and how long: a yes and a no of equal weight, and the way out of a yes. */
export default function InviteeResponse({ text, language, help }: Props) {
  const now = useStore($invitee, { ssr: 'initial' });
  // A step belongs to a question: an answer shows another one, which ends it.
  const [asked, setAsked] = useState<{ step: BlockStep; of: object | null }>({
    step: '',
    of: null,
  });
  const step = asked.of === now.question ? asked.step : '';
  const answered = useRef(false);
  // What answers take away had the focus; what takes their place is read out.
  const heading = useCallback((title: HTMLElement | null) => {
    if (answered.current) title?.focus();
  }, []);
  useOnHydrate(() => {
    const endExit = watchQuickExit();
    const endCodes = watchPrivateCode((code) => openInvitation(code));
    return () => {
      endExit();
      endCodes();
    };
  });
  const acts = {
    accept,
    decline,
    stop,
    block: () => setAsked({ step: 'blocking', of: now.question }),
    block_only: () => block(false),
    report: () => block(true),
    everyone: () => {
      typeNumberAgain();
      setAsked({ step: 'proving', of: now.question });
    },
    back: () => {
      if (now.texted) typeNumberAgain();
      else setAsked({ step: step === 'proving' ? 'blocking' : '', of: now.question });
    },
  };
  return (
    <div className={styles.invited}>
      <InviteeView
        text={text}
        language={language}
        help={help}
        now={now}
        step={step}
        onHeading={heading}
        onAct={(act) => {
          answered.current = true;
          acts[act]();
        }}
        onNumber={(phone) => {
          answered.current = true;
          sendOptOutCode(phone);
        }}
        onCode={stopEveryone}
        onRetry={() => openInvitation()}
      />
    </div>
  );
}
