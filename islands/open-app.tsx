import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Page } from '../worker/page-types.ts';
import { ContinueAs } from './account/continue-as.tsx';
import { wayToApp } from './app-link/app-store-links.ts';
import { Stores } from './app-link/app-stores.tsx';
import {
  type Checked,
  checkDeeplink,
  mailDeeplink,
  reissueDeeplink,
} from './app-link/deeplink-care.ts';
import { launch } from './app-link/launch-app.ts';
import { LinkTrouble } from './app-link/link-error.tsx';
import { OpenOnPhone } from './app-link/open-on-phone.tsx';
import { type Platform, platformOf } from './app-link/platform.ts';
import { followCode, putCode } from './app-link/url-code.ts';
import styles from './open-app.module.css';
import { here } from './runtime/hydration/page-data.ts';
import { useWake } from './runtime/hydration/use-on-hydrate.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { LoadingScreen } from './ui/loading-screen.tsx';
import { QrBox } from './ui/qr-code.tsx';
import { useSending } from './ui/use-request-state.ts';

interface Props {
  text: IslandText['link-into-app'];
  stores: Page['stores'];
}

type Said = 'waiting' | 'missing' | 'failed' | 'unknown' | 'expired' | 'used' | 'used_mine';
type State = 'ready' | 'asking' | Said | 'used_elsewhere';

function stateOf({ state, mine }: Checked): State {
  // Somebody else's link would sign the app in to their account.
  if (state === 'ready' && !mine) return 'asking';
  if (state !== 'used' || mine === null) return state;
  return mine ? 'used_mine' : 'used_elsewhere';
}

/** Where a link into the app leads without the app: to it, to its store, to a phone, to a new link. */
export default function LinkIntoApp({ text, stores }: Props) {
  const [state, setState] = useState<State>('waiting');
  const [code, setCode] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [platform, setPlatform] = useState<Platform>('desktop');
  const [mailing, mail] = useSending(() => mailDeeplink(code));
  const check = async (found: string) => {
    setCode(found);
    setState('waiting');
    try {
      const looked = await checkDeeplink(found);
      setChecked(looked);
      setState(stateOf(looked));
    } catch {
      setState('failed');
    }
  };
  const [renewing, renew] = useSending(async () => {
    const fresh = new URL(await reissueDeeplink()).hash.slice(1);
    putCode(fresh);
    await check(fresh);
  });
  useWake(() => {
    setPlatform(platformOf(navigator.userAgent, navigator.maxTouchPoints));
    return followCode((found) => {
      if (found) check(found);
      else setState('missing');
    });
  });

  if (state === 'asking') {
    return (
      <div className={styles.link}>
        <ContinueAs
          text={text}
          email={checked?.email ?? ''}
          signedInAs={checked?.signed_in_as ?? null}
          onContinue={() => setState('ready')}
          back={here().first ?? '/'}
        />
      </div>
    );
  }
  if (state === 'ready' && platform === 'desktop') {
    return (
      <div className={styles.link}>
        <QrBox picture={checked?.qr_code ?? ''} label={text.qr} />
        <p>{text.scan}</p>
        <Stores text={text} stores={stores} platform={platform} />
      </div>
    );
  }
  if (state === 'ready') {
    const way = wayToApp(stores, platform);
    return (
      <div className={styles.link}>
        <OpenOnPhone
          text={text}
          stores={way}
          platform={platform}
          onOpen={() => launch(way.scheme, code, way[platform as 'apple' | 'google'])}
        />
      </div>
    );
  }
  if (state === 'waiting') return <LoadingScreen message={text.waiting} />;
  const over = state === 'expired' || state.startsWith('used');
  const session =
    state === 'used_mine' ||
    state === 'used_elsewhere' ||
    (state === 'expired' && checked?.mine === true);
  return (
    <div className={styles.link}>
      <LinkTrouble
        text={text}
        said={text[state]}
        mail={over && !session && { state: mailing, onSend: mail }}
        onRetry={state === 'failed' && (() => check(code))}
        back={(state === 'missing' || state === 'unknown') && (here().first ?? '/')}
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
