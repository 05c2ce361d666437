import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Page } from '../worker/funnel/page.ts';
import styles from './link-into-app.module.css';
import { ContinueAs } from './parts/continue-as.tsx';
import { ContinueButton } from './parts/continue-button.tsx';
import { LinkTrouble } from './parts/link-trouble.tsx';
import { LoadingScreen } from './parts/loading-screen.tsx';
import { OpenOnPhone } from './parts/open-on-phone.tsx';
import { QrBox } from './parts/qr-box.tsx';
import { Stores } from './parts/stores.tsx';
import { followCode, putCode } from './runtime/fragment.ts';
import { here } from './runtime/here.ts';
import { launch } from './runtime/launch.ts';
import { type Platform, platformOf } from './runtime/platform.ts';
import { useSending } from './runtime/use-sending.ts';
import { useWake } from './runtime/use-wake.ts';
import {
  type Checked,
  checkDeeplink,
  mailDeeplink,
  reissueDeeplink,
} from './stores/deeplink-care.ts';
import { wayToApp } from './stores/way-to-app.ts';

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
