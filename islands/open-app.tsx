import { useLayoutEffect, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Page } from '../worker/rendering/page-types.ts';
import { ContinueAs } from './account/continue-as.tsx';
import { reportUnexpected } from './account/report-unexpected.ts';
import { RequestSignInLink, type RequestText } from './account/request-sign-in-link.tsx';
import { showProblem } from './account/show-result.ts';
import { AppStores, appStoreLinks, launchApp, OpenOnPhone } from './app-link/app-stores.tsx';
import {
  checkDeeplink,
  type DeeplinkStatus,
  emailDeeplink,
  reissueDeeplink,
} from './app-link/deeplink.ts';
import { LinkError } from './app-link/link-error.tsx';
import { type Platform, platformOf } from './app-link/platform.ts';
import { putCodeInUrl, watchUrlCode } from './app-link/url-code.ts';
import styles from './open-app.module.css';
import { pageData } from './runtime/hydration/page-data.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { QrCode } from './ui/qr-code.tsx';
import { SendEmailButton } from './ui/send-email-button.tsx';
import { Spinner } from './ui/spinner.tsx';
import { useRequestState } from './ui/use-request-state.ts';

interface Props {
  text: IslandText['open-app'];
  /** The form for a new link. The page's title and lead say what is wrong with this one. */
  request: RequestText;
  /** Below the form's field. */
  hint: string;
  stores: Page['stores'];
}

type MessageState = 'waiting' | 'missing' | 'failed' | 'unknown' | 'expired' | 'used' | 'used_mine';
type State = 'ready' | 'confirming' | MessageState | 'used_elsewhere';

function stateOf({ state, mine }: DeeplinkStatus): State {
  // Someone else's link would sign the app in to their account.
  if (state === 'ready' && !mine) return 'confirming';
  if (state !== 'used' || mine === null) return state;
  return mine ? 'used_mine' : 'used_elsewhere';
}

type ReadyProps = Pick<Props, 'text' | 'stores'> & {
  platform: Platform;
  code: string;
  checked: DeeplinkStatus | null;
};

/** Opens the app here, or shows a computer's visitor what a phone can scan. */
function ReadyLink({ text, stores, platform, code, checked }: ReadyProps) {
  if (platform === 'desktop') {
    return (
      <div className="stack gap-16">
        <QrCode picture={checked?.qr_code ?? ''} label={text.qr} />
        <p>{text.scan}</p>
        <AppStores text={text} stores={stores} platform={platform} />
      </div>
    );
  }
  const links = appStoreLinks(stores, platform);
  return (
    <div className="stack gap-16">
      <OpenOnPhone
        text={text}
        stores={links}
        platform={platform}
        onOpen={() => launchApp(links.scheme, code, links[platform as 'apple' | 'google'])}
      />
    </div>
  );
}

/** The link in the URL: what it can do, which is asked again after a change. */
function useAppLink(text: Props['text']) {
  const [state, setState] = useState<State>('waiting');
  const [code, setCode] = useState('');
  const [checked, setChecked] = useState<DeeplinkStatus | null>(null);
  const [platform, setPlatform] = useState<Platform>('desktop');
  const check = async (found: string) => {
    setCode(found);
    setState('waiting');
    try {
      const status = await checkDeeplink(found);
      setChecked(status);
      setState(stateOf(status));
    } catch (error) {
      reportUnexpected(error);
      setState('failed');
    }
  };
  const [renewing, renew] = useRequestState(async () => {
    const fresh = new URL(await reissueDeeplink()).hash.slice(1);
    putCodeInUrl(fresh);
    await check(fresh);
  });
  useOnHydrate(() => {
    setPlatform(platformOf(navigator.userAgent, navigator.maxTouchPoints));
    return watchUrlCode((found) => {
      if (found) check(found);
      else setState('missing');
    });
  });

  // Then the page can only offer a new link.
  useLayoutEffect(() => {
    if (state === 'missing' || state === 'unknown') return showProblem(text[state]);
  }, [state, text]);
  return { state, setState, code, checked, platform, check, renewing, renew };
}

/** The page of an app link if the app is not installed: open the app, its store, a phone, or request a new link. */
export default function OpenApp({ text, request, hint, stores }: Props) {
  const link = useAppLink(text);
  const { state, code, checked, platform, check, renewing, renew } = link;
  const [mailing, mail] = useRequestState(() => emailDeeplink(code));
  if (state === 'confirming') {
    return (
      <div className="stack gap-16">
        <ContinueAs
          text={text}
          email={checked?.email ?? ''}
          signedInAs={checked?.signed_in_as ?? null}
          onContinue={() => link.setState('ready')}
          restartHref={pageData().first ?? '/'}
        />
      </div>
    );
  }
  if (state === 'ready') return <ReadyLink {...{ text, stores, platform, code, checked }} />;
  if (state === 'waiting') {
    return (
      <div className="stack gap-24">
        <p className="row gap-12" role="status" data-loading-screen="">
          <Spinner />
          {text.waiting}
        </p>
        <div className={styles.late}>
          <SendEmailButton state={mailing} text={text} onSend={mail} />
        </div>
      </div>
    );
  }
  if (state === 'missing' || state === 'unknown') {
    return (
      <div className="stack gap-16">
        <RequestSignInLink text={request} hint={hint} />
      </div>
    );
  }
  const over = state === 'expired' || state.startsWith('used');
  const session = state.startsWith('used_') || (state === 'expired' && checked?.mine === true);
  return (
    <div className="stack gap-16">
      <LinkError
        text={text}
        message={text[state]}
        emailButton={over && !session && { state: mailing, onSend: mail }}
        onRetry={state === 'failed' && (() => check(code))}
      />
      {over && session && (
        <ContinueButton
          label={text.reissue}
          type="button"
          pending={renewing === 'pending'}
          onClick={renew}
        />
      )}
      {renewing === 'failed' && <p role="alert">{text.failed}</p>}
    </div>
  );
}
