import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Page } from '../worker/rendering/page-types.ts';
import styles from './app-handoff.module.css';
import { AppStores, type StoreText } from './app-link/app-stores.tsx';
import {
  checkDeeplink,
  emailDeeplink,
  loadDeeplink,
  reissueDeeplink,
} from './app-link/deeplink.ts';
import { ManualCode } from './app-link/manual-code.tsx';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $invitationProgress } from './stores/checklist.ts';
import { $checkout, confirmPurchase } from './stores/checkout.ts';
import { $signup } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { copyAsync } from './ui/copy-async.ts';
import type { LinkOrAppText } from './ui/link-or-app.tsx';
import { QrCode } from './ui/qr-code.tsx';
import { SecondaryButton } from './ui/secondary-button.tsx';
import { SendEmailButton } from './ui/send-email-button.tsx';
import { StepHeading } from './ui/step-heading.tsx';
import { useRequestState } from './ui/use-request-state.ts';

type LinkState = 'ready' | 'used' | 'over';

/** Whether a stored link still works; assume so when the request fails. */
const stateOf = (link: string): Promise<LinkState> =>
  checkDeeplink(new URL(link).hash.slice(1))
    .then(({ state }) => (state === 'ready' || state === 'used' ? state : 'over'))
    .catch(() => 'ready');

/** Loads the link; checks a stored one whenever the buyer comes back to the page. */
function useAppLink() {
  const [state, setState] = useState<'asleep' | 'loading' | 'done'>('asleep');
  const [used, setUsed] = useState(false);
  const load = async () => {
    setState('loading');
    await loadDeeplink();
    setState('done');
  };
  const check = async (link: string) => {
    const found = await stateOf(link);
    setUsed(found === 'used');
    if (found === 'over') await load();
    else setState('done');
  };
  useOnHydrate(() => {
    const link = $signup.get().deeplinkUrl;
    if (!$checkout.get().isSuccess) setState('done');
    else if (!link) load();
    else check(link);
    // Called when the buyer comes back from the app or from the other phone.
    const again = () => {
      const current = $signup.get().deeplinkUrl;
      if (document.visibilityState === 'visible' && current) check(current);
    };
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  });
  return { state, used, load, setUsed };
}

interface Props {
  text: Omit<IslandText['app-handoff'], keyof LinkOrAppText>;
  /** Texts of the stores' badges, which are shown where their URLs are configured. */
  badges: StoreText;
  stores: Page['stores'];
}

/** For a buyer whose app is on another phone. */
function OtherWays({
  text,
  badges,
  stores,
  isFolded,
  onRenewed,
}: Props & { isFolded: boolean; onRenewed: () => void }) {
  const { deeplinkQR } = useStore($signup, { ssr: 'initial' });
  const [open, setOpen] = useState(false);
  const [mailing, mail] = useRequestState(() => emailDeeplink());
  const [renewing, renew] = useRequestState(() => reissueDeeplink().then(onRenewed));
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={`row spread gap-12 strong chevron ${styles.summary}`}>
        {text.ways}
      </summary>
      <div className="stack gap-24">
        <div className={`stack gap-12 ${isFolded ? '' : styles.other}`}>
          <p className="note">{text.scan}</p>
          <QrCode picture={deeplinkQR} label={text.qr} />
        </div>
        <div className="stack gap-8">
          <SendEmailButton state={mailing} text={text} onSend={mail} />
          <SendEmailButton
            id="new-link"
            state={renewing}
            text={{ mail: text.again, mail_sent: text.again_done, email_failed: text.failed }}
            onSend={renew}
          />
        </div>
        {(stores.apple || stores.google) && (
          <AppStores text={badges} stores={stores} platform="desktop" />
        )}
        <div className="stack gap-12">
          <h3 className="title-small">{text.code_title}</h3>
          {open && <ManualCode text={text} />}
        </div>
      </div>
    </details>
  );
}

/** After a yes: what the app adds once the other person has it too. */
function ShareLive({ text, stores }: Omit<Props, 'badges'>) {
  const [state, send] = useRequestState(async () => {
    const url = stores.apple || stores.google;
    // Not awaited before: both need the tap.
    if (navigator.share as unknown) return navigator.share({ url });
    return copyAsync(Promise.resolve(url));
  });
  return (
    <section className={`stack gap-16 ${styles.step}`}>
      <h2>{text.live_title}</h2>
      <p>{text.live_how}</p>
      <SecondaryButton id="send-app" label={text.live_send} type="button" onClick={send} />
      <p className="note status" role="status">
        {state === 'sent' && text.live_sent}
      </p>
    </section>
  );
}

/** Step 2 of the success page: opens the app signed in, by a link, a QR code or a typed code. */
export default function AppHandoff({ text, badges, stores }: Props) {
  const { deeplinkUrl, deeplinkQR } = useStore($signup, { ssr: 'initial' });
  const progress = useStore($invitationProgress, { ssr: 'initial' });
  const { state, used, load, setUsed } = useAppLink();
  const [mailing, mail] = useRequestState(() => emailDeeplink());
  useOnHydrate(confirmPurchase);
  const failed = state === 'done' && !deeplinkUrl;
  const waits = <p role="status">{failed ? text.failed : text.waiting}</p>;
  // Beside the QR code of a message, a second one would be taken for it.
  const isFolded = progress === 'scan';
  return (
    <div className="stack gap-16">
      <section className={`stack gap-16 ${styles.step}`}>
        <StepHeading title={text.title} done={used && text.done} />
        {used ? (
          <p role="status">{text.signed_in}</p>
        ) : (
          <p className="soft">
            <span className={isFolded ? undefined : styles.tap}>{text.tap}</span>
            {!isFolded && <span className={styles.scan}>{text.scan_here}</span>}
          </p>
        )}
        {!used && !isFolded && (
          <div className={`stack ${styles.scan}`}>
            <QrCode picture={deeplinkQR} label={text.qr}>
              {waits}
            </QrCode>
          </div>
        )}
        {!used && isFolded && (
          <div className={`${styles.scan} ${styles.mail}`}>
            <SendEmailButton id="mail-app" state={mailing} text={text} onSend={mail} />
          </div>
        )}
        {failed ? (
          <ContinueButton label={text.retry} type="button" onClick={load} />
        ) : (
          <a
            className={`link-outlined ${styles.open}`}
            id="continue-button"
            href={deeplinkUrl || undefined}
          >
            {text.open}
          </a>
        )}
        <OtherWays {...{ text, badges, stores, isFolded }} onRenewed={() => setUsed(false)} />
      </section>
      {progress === 'accepted' && (stores.apple || stores.google) && (
        <ShareLive text={text} stores={stores} />
      )}
    </div>
  );
}
