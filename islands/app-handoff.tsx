import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import styles from './app-handoff.module.css';
import {
  checkDeeplink,
  emailDeeplink,
  loadDeeplink,
  reissueDeeplink,
} from './app-link/deeplink.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $checkout, closeSuccessPopup, trackSuccessPopup } from './stores/checkout.ts';
import { $signup } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { QrCode } from './ui/qr-code.tsx';
import { SendEmailButton } from './ui/send-email-button.tsx';
import { useRequestState } from './ui/use-request-state.ts';

type PopupProps = { title: string; text: string; close: string; onClose: () => void };

function openDialog(dialog: HTMLDialogElement | null) {
  if (dialog && !dialog.open) dialog.showModal();
}

export function SuccessPopup({ title, text, close, onClose }: PopupProps) {
  return (
    <dialog
      ref={openDialog}
      className={styles.popup}
      aria-labelledby="popup-title"
      onClose={onClose}
    >
      <form className="stack gap-16" method="dialog">
        <h2 id="popup-title">{title}</h2>
        <p>{text}</p>
        <ContinueButton id="popup-close" label={close} />
      </form>
    </dialog>
  );
}

/** Whether a stored link still works; assume so when the request fails. */
const stillGood = (link: string) =>
  checkDeeplink(new URL(link).hash.slice(1))
    .then(({ state }) => state === 'ready')
    .catch(() => true);

/** Opens the app signed in: a QR code, a link to tap, or a link by e-mail. */
export default function AppHandoff({ text }: { text: IslandText['app-handoff'] }) {
  const { showSuccessPopup } = useStore($checkout, { ssr: 'initial' });
  const { deeplinkUrl, deeplinkQR } = useStore($signup, { ssr: 'initial' });
  const [state, setState] = useState<'asleep' | 'loading' | 'done'>('asleep');
  const [mailing, mail] = useRequestState(() => emailDeeplink());
  const [renewing, renew] = useRequestState(reissueDeeplink);
  const load = async () => {
    setState('loading');
    await loadDeeplink();
    setState('done');
  };
  useOnHydrate(() => {
    if ($checkout.get().showSuccessPopup) trackSuccessPopup();
    const link = $signup.get().deeplinkUrl;
    if (!$checkout.get().isSuccess) setState('done');
    else if (!link) load();
    else stillGood(link).then((good) => (good ? setState('done') : load()));
  });

  const failed = state === 'done' && !deeplinkUrl;
  const waits = <p role="status">{failed ? text.failed : text.waiting}</p>;
  return (
    <div className="stack gap-16">
      <div className={`stack ${styles.scan}`}>
        <QrCode picture={deeplinkQR} label={text.qr}>
          {waits}
        </QrCode>
      </div>
      {failed ? (
        <ContinueButton label={text.retry} type="button" onClick={load} />
      ) : (
        <a
          className={`link-filled ${styles.open}`}
          id="continue-button"
          href={deeplinkUrl || undefined}
        >
          {text.open}
        </a>
      )}
      <details className={styles.ways}>
        <summary className={`row spread gap-12 strong chevron ${styles.summary}`}>
          {text.ways}
        </summary>
        <div className={`list ${styles.rows}`}>
          <SendEmailButton state={mailing} text={text} onSend={mail} />
          <details className={styles.other}>
            <summary className={`row spread gap-12 strong chevron ${styles.summary}`}>
              {text.other}
            </summary>
            <p className={`note ${styles.hint}`}>{text.scan}</p>
            <QrCode picture={deeplinkQR} label={text.qr} />
          </details>
          <SendEmailButton
            id="new-link"
            state={renewing}
            text={{ mail: text.again, mail_sent: text.again_done, email_failed: text.failed }}
            onSend={renew}
          />
        </div>
      </details>
      {showSuccessPopup && (
        <SuccessPopup
          title={text.popup_title}
          text={text.popup_text}
          close={text.popup_close}
          onClose={closeSuccessPopup}
        />
      )}
    </div>
  );
}
