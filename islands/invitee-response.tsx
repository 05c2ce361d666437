import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import type { Page } from '../worker/rendering/page-types.ts';
import { platformOf } from './app-link/platform.ts';
import { codeIn, codeInUrl } from './app-link/url-code.ts';
import { type BlockStep, InviteePage, type InviteeText } from './invitations/invitee-page.tsx';
import {
  $invitee,
  acceptInvitation,
  blockRequester,
  declineInvitation,
  openInvitation,
  optOutOfInvitations,
  returnToNumber,
  sendOptOutCode,
  stop,
} from './invitations/invitee-store.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';

export function watchPrivateCode(onCode: (code: string) => void): () => void {
  const report = () => {
    const code = codeInUrl();
    if (code) history.replaceState({ ...history.state, code }, '', location.pathname);
    // The loader may have moved the fragment there.
    onCode(codeIn(`#${history.state?.code ?? ''}`));
  };
  report();
  addEventListener('hashchange', report);
  return () => removeEventListener('hashchange', report);
}

export function watchQuickExit(): () => void {
  const leave = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-leave]');
    if (!link) return;
    event.preventDefault();
    document.body.hidden = true;
    history.replaceState(null, '', location.pathname);
    location.replace(link.href);
  };
  document.addEventListener('click', leave);
  return () => document.removeEventListener('click', leave);
}

interface Props {
  text: InviteeText;
  title: string;
  lead: string;
  language: string;
  help: Page['helpline'];
  stores: Page['stores'];
  streetSource: Page['streetSource'];
}

/** The store of this phone; on a computer the first one that is known. */
function appHrefOf({ apple, google }: Page['stores']): string {
  const platform = platformOf(navigator.userAgent, navigator.maxTouchPoints);
  return platform === 'google' ? google : platform === 'apple' ? apple : apple || google;
}

/** The request with its requester, purpose and duration. Accept and decline have equal weight; sharing can be stopped. */
export default function InviteeResponse({ stores, ...shown }: Props) {
  const now = useStore($invitee, { ssr: 'initial' });
  // An answer replaces the invitation object, which closes the step.
  const [open, setOpen] = useState<{ step: BlockStep; invitation: object | null }>({
    step: '',
    invitation: null,
  });
  const step = open.invitation === now.invitation ? open.step : '';
  const answered = useRef(false);
  // The focus was on the answered buttons; it moves to the new heading, which is read aloud.
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
  const actions = {
    accept: acceptInvitation,
    decline: declineInvitation,
    stop,
    block: () => setOpen({ step: 'blocking', invitation: now.invitation }),
    block_only: () => blockRequester(false),
    report: () => blockRequester(true),
    everyone: () => {
      returnToNumber();
      setOpen({ step: 'number', invitation: now.invitation });
    },
    back: () => {
      if (now.codeSent) returnToNumber();
      else setOpen({ step: step === 'number' ? 'blocking' : '', invitation: now.invitation });
    },
  };
  return (
    <InviteePage
      {...shown}
      now={now}
      step={step}
      appHref={now.invitation ? appHrefOf(stores) : ''}
      onHeading={heading}
      onAction={(act) => {
        answered.current = true;
        actions[act]();
      }}
      onNumber={(phone) => {
        answered.current = true;
        sendOptOutCode(phone);
      }}
      onCode={optOutOfInvitations}
      onRetry={() => openInvitation()}
    />
  );
}
